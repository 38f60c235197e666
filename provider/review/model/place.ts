/** Where somebody has something: the role in the organization, a team, or the mark of single sign-on. */
export interface Place {
  readonly kind: "role" | "team" | "sso";
  readonly team?: string;
  readonly organization: string;
}

import type { LiveTeam } from "../../access/discovery";
import type { Member } from "../../api/groups/members";
import { isEmail, repeatedIn, userKey } from "../../people/user";
import { userName } from "../../resources/shared/common";

/** Names people in a file: by e-mail, which readers know, if it is visible and unique; otherwise by id. */
export class PeopleNames {
  private readonly members: ReadonlySet<string>;
  private readonly emails: ReadonlyMap<string, string>;
  private readonly shared: ReadonlySet<string>;

  constructor(members: readonly Member[], teams: readonly LiveTeam[]) {
    this.members = new Set(members.map(({ user }) => user.id));
    const emails = new Map<string, string>();
    for (const { userId, email } of teams.flatMap(({ people }) => people))
      if (email && !this.isMember(userId)) emails.set(userId, email);
    for (const { user } of members) if (user.email) emails.set(user.id, user.email);
    this.emails = emails;
    this.shared = repeatedIn([...this.emails.values()].map(userKey));
  }

  isMember(userId: string): boolean {
    return this.members.has(userId);
  }

  /** Whether several people have the e-mail, which then does not tell which of them is meant. */
  isShared(email: string): boolean {
    return this.shared.has(userKey(email));
  }

  /** The name of a person; `undefined` if a file cannot name the person. */
  nameOf(userId: string): string | undefined {
    const email = this.emails.get(userId);
    if (email !== undefined && isEmail(email) && !this.isShared(email) && isName(email)) return email;
    // An id that looks like an e-mail would be read as one.
    return !isEmail(userId) && userId !== "__proto__" && isName(userId) ? userId : undefined;
  }
}

const isName = (text: string) => userName.safeParse(text).success;

import { listNames } from "../../access/carry-out";
import { nameIn } from "../../run/urn";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import { childName } from "../sections";
import type { PlannedChange, Violation } from "./change";
import { nameOfPerson } from "./people";

/** Refuses another organization id: all that is managed in the previous organization would be released or deleted, which no other guard checks. */
export function otherOrganization({ organization: { organization }, recorded }: PlannedChange): Violation[] {
  const before = recorded.map(({ outputs }) => outputs.organizationId).find((id) => id && id !== organization);
  if (before === undefined) return [];
  const text = `the stack manages organization "${before}" here; switching to "${organization}" would release or delete all that it manages there; keep "${before}", and use a separate stack or component for "${organization}"`;
  return [{ path: ["organization"], text }];
}

/** Refuses a renamed or moved component: previous roles would be lost with their resources, and sites would be created again. */
export function otherName({ organization, formerComponents }: PlannedChange): Violation[] {
  return formerComponents.map((urn) => ({
    path: ["organization"],
    text: `the stack manages "${organization.organization}" as ${nameIn(urn)}, which is no longer in the program: if the component was renamed or moved, add the option aliases: [${JSON.stringify(urn)}] to it, so that nothing is lost`,
  }));
}

/** Keeps the last active provider while members sign in with it. A new provider in the same change is no replacement: nobody has signed in with it yet. */
export function lastProvider({ name, organization, live, recorded, access }: PlannedChange): Violation[] {
  const staying = new Set(Object.keys(organization.saml ?? {}).map((key) => childName(name, key)));
  const leaving = recorded.filter(({ name }) => !staying.has(name)).map(({ outputs }) => outputs.samlProviderId);
  const active = live.saml.filter(({ status }) => status === "active");
  const removed = active.filter(({ id }) => leaving.includes(id));
  if (removed.length === 0 || removed.length < active.length) return [];
  const place = { kind: "sso", organization: organization.organization } as const;
  const people = access.holders("sso", place, "after").map(nameOfPerson);
  if (people.length === 0) return [];
  const labels = removed.map(({ label }) => `"${visible(label)}"`).join(", ");
  const text = `removing ${labels} would leave no active SAML provider, and ${counted(people.length, "member")} could no longer sign in: ${listNames(people)}; keep it, and remove it in a later change when another provider is active`;
  return [{ path: ["saml"], text }];
}

import { enumerated } from "../../access/bulk";
import { visible } from "../../text/visible";
import { counted } from "../../text/words";
import { childName } from "../sections/children";
import { ssoIn } from "./change";
import type { Guard } from "./guard";
import { nameOf } from "./people";

/** Keeps the last active provider while members sign in with it. A new provider in the same change is no replacement: nobody has signed in with it yet. */
export const lastProvider: Guard = {
  findViolations({ name, organization, live, recorded, access }) {
    const staying = new Set(Object.keys(organization.saml ?? {}).map((key) => childName(name, key)));
    const leaving = recorded
      .filter(({ resource, name }) => resource === "SamlProvider" && !staying.has(name))
      .map(({ outputs }) => outputs.samlProviderId);
    const active = live.saml.filter(({ status }) => status === "active");
    const gone = active.filter(({ id }) => leaving.includes(id));
    if (gone.length === 0 || gone.length < active.length) return [];
    const people = access.holders("sso", ssoIn(organization), "after").map(nameOf);
    if (people.length === 0) return [];
    const labels = gone.map(({ label }) => `"${visible(label)}"`).join(", ");
    return [
      {
        path: ["saml"],
        text: `removing ${labels} would leave no active SAML provider, and ${counted(people.length, "member")} could no longer sign in: ${enumerated(people)}; keep it, and remove it in a later change when another provider is active`,
      },
    ];
  },
};

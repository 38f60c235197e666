import { enumerated } from "../../access/bulk";
import { visible } from "../../text/visible";
import { counted } from "../../text/words";
import { nameOf } from "../projection/roles";
import { childName } from "../sections/children";
import type { Guard } from "./guard";

/** With the last active provider, nobody can sign in by single sign-on any more: a new one knows nobody yet. */
export const lastProvider: Guard = {
  findViolations({ name, organization, live, recorded, roleProjection }) {
    const staying = new Set(Object.keys(organization.saml ?? {}).map((key) => childName(name, key)));
    const leaving = recorded
      .filter(({ resource, name }) => resource === "SamlProvider" && !staying.has(name))
      .map(({ outputs }) => outputs.samlProviderId);
    const active = live.saml.filter(({ status }) => status === "active");
    const gone = active.filter(({ id }) => leaving.includes(id));
    if (gone.length === 0 || gone.length < active.length) return [];
    const people = live.members.filter((member) => roleProjection.needsSso(member)).map(nameOf);
    if (people.length === 0) return [];
    const labels = gone.map(({ label }) => `"${visible(label)}"`).join(", ");
    return [
      {
        path: ["saml"],
        text: `${labels} would go, which is the last SAML provider that people can sign in with, and ${counted(people.length, "member")} would not be able to: ${enumerated(people)}; keep it, and let it go in a later change, once another one is active`,
      },
    ];
  },
};

import { order } from "../../provider/review/risks/risks";
import { table } from "./page";

/** What a change with a risk of each kind does. */
const changes: Readonly<Record<string, string>> = {
  "guards-weaker": "lets the guards refuse less",
  "new-administrator": "makes somebody an administrator",
  "administrator-by-hand": "sets back, or changes, that somebody was made an administrator outside Pulumi",
  "token-user": "takes access from the user of the token, if `DOCS_TOKEN_USER` names this user",
  "hidden-person": "changes access of a person that the preview does not show: a secret, or known only during the `up`",
  "hidden-access":
    "gives access that the preview does not show: a secret, known only during the `up`, or chosen by the service",
  "email-passed-on": "gives access to a person who has got the e-mail of another one",
  "declared-twice": "has two resources for one person in one place, which undo each other",
  "person-removed": "removes somebody from the organization",
  "sign-in-default": "changes what people get at their first sign-in",
  "sign-in-removed": "removes a SAML provider",
  "sign-in-changed": "changes a SAML provider: a new certificate is listed with the one that it replaces",
  "sign-in-added": "adds a SAML provider",
  "site-public": "lets everybody open and find a site",
  "site-deleted": "loses what was set up in a site",
  "site-replaced": "loses what was set up in a site",
  "team-without-owner": "leaves a team without an owner",
  "new-team-owner": "makes somebody the owner of a team; it is high if no member has the e-mail",
  "new-creator": "lets somebody create sites and spaces (role `create`)",
  "disabled-person": "gives access to a person who cannot sign in now",
  "team-unseen-people": "removes people from a team whose names the preview does not show",
  "not-a-member": "gives a role to somebody who has left the organization",
  "administrator-lost": "takes the administrator role from somebody",
  "administrator-unmanaged": "no longer manages the administrator role of somebody",
  "previous-roles-forgotten": "replaces a resource, which forgets the previous roles of its people",
  "raise-on-release": "lets people get a higher previous role back when they are released",
  "grant-extended": "lets a grant last longer, or give more at its end",
  "site-published": "publishes a site",
  "protection-removed": "lets a later change delete an object",
  "retention-removed": "lets a later change delete an object",
  "site-opened":
    "lets more people open a site, or a new audience: anybody with the address (`unlisted`) or with the share link",
  "site-unpublished": "closes a site",
  "schema-breaking": "removes claims that conditions of a site may use",
  "translation-deleted": "deletes a translation",
  "team-people-removed": "removes people from a team",
  "removal-on-release": "lets a later release remove people from the organization",
  drift: "overwrites what was changed outside Pulumi",
};

/** The page of the risks of a review, the most dangerous first. */
export function risksPage(): string {
  const parts = [
    "# Risks",
    "A risk is a change to look at before it is applied ([reviews in CI](../guides/reviews-in-ci.md#risks)). Its `kind` in the JSON of a review stays the same in later versions.",
    table(
      ["kind", "the change"],
      order.map((kind) => [`\`${kind}\``, changes[kind] ?? ""]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

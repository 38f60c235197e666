import type { Seed } from "../../provider/emulator";
import type { SeedContent } from "../../provider/emulator/spaces/seed";
import { docsOrg, type Result } from "../support/docs-org";

export const runChangeRequests = (...args: string[]): Promise<Result> => docsOrg("change-requests", ...args);

/** One organization with a space of three pages that link to each other. */
export function seedWithContent(content: SeedContent): Seed {
  const pages: SeedContent["pages"] = [
    { id: "home", title: "Home", markdown: "See [setup](setup) and [faq](faq)." },
    { id: "setup", title: "Setup", markdown: "Back to [home](home), and to [what is gone](gone)." },
    { id: "faq", title: "Faq", markdown: "No links." },
  ];
  return { organizations: { acme: { spaces: [{ id: "guides", title: "Guides", pages, ...content }] } } };
}

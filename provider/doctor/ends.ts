import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTeams } from "../access/discovery";
import { membersOf } from "../access/members";
import { planAccess } from "../access-plan/access-plan";
import { phaseOf } from "../access-plan/grants";
import { DocsError } from "../api/http/errors";
import { loadOrganization, organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import { placeIn } from "../organization/guards/change";
import { unambiguousAccess } from "../organization/live/live";
import { reviewNotes } from "../organization/review-notes";
import { type ListedGrant, listGrants } from "../organization/sections/grants";
import { listEnds, usualPeriod } from "../review/model/ends";
import { connect } from "../run/context";
import type { Run } from "../run/run";
import { type Check, note, ok, wrong } from "./check";

/** What begins or ends soon, by organization.yaml and the token, and which ended grants people still have, if the service can be read. */
export async function checkEnds(root: string, run: Run, isReadable: boolean): Promise<Check> {
  try {
    const { settings } = run;
    const file = join(root, organizationYaml);
    const now = settings.now();
    const organization = existsSync(file)
      ? loadOrganization(file, { now, mayLackAdmins: true }).organization
      : undefined;
    const id = organization?.organization ?? settings.organizationId() ?? "";
    const ended = organization ? listGrants(organization).filter((grant) => phaseOf(grant, now) === "ended") : [];
    const ends = listEnds(
      {
        grants: (organization && reviewNotes(organization).grants) ?? [],
        ...(organization && isReadable && ended.length > 0 && { isGiven: await readGiven(run, organization, ended) }),
        areRecorded: false,
        providers: Object.values(organization?.saml ?? {}),
        token: settings.tokenOf(id)?.value,
      },
      { now, period: usualPeriod },
    );
    if (ends.length === 0) return ok("ends", "no grant, certificate or token that says so ends within 30 days");
    return note("ends", ends.map(({ text }) => text).join("\n"));
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return wrong("ends", error.message);
  }
}

/** Asks the service who has what these grants gave. */
async function readGiven(run: Run, file: OrganizationFile, ended: readonly ListedGrant[]) {
  const { organization: organizationId } = file;
  const context = await connect(run, organizationId);
  const members = await membersOf(context).all();
  const teamIds = ended.flatMap(({ team }) => team ?? []);
  const teams = await readTeams(context, teamIds);
  const live = unambiguousAccess({ organizationId, members, teams });
  const plan = planAccess({ ...live, managers: [], isEverybodyShown: false });
  return ({ user, team, role }: Pick<ListedGrant, "user" | "team" | "role">): boolean => {
    const place = placeIn(file, team);
    return plan.livePlace(place)?.levels.get(plan.identities.find({}, place, user).id) === role;
  };
}

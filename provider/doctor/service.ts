import { DocsError, isUnanswered } from "../api/http/errors";
import { type Context, connect, describeSource, explained } from "../run/context";
import type { Run } from "../run/run";
import { counted } from "../text/safe-text";
import { visible } from "../text/visible";
import { type Check, note, ok, skippedCheck, wrong } from "./check";

/** A larger difference of the clocks would make grants end, and certificates expire, at another time than the service says. */
const mostSkew = 60_000;

/** The settings, the token and the clock. The token is checked with one read; its answer has the time of the service. */
export async function checkService(run: Run, fileOrganization: string | undefined): Promise<readonly Check[]> {
  const { settings } = run;
  try {
    // Each of these throws if its setting is missing or wrong.
    settings.requireFor(fileOrganization);
    settings.deadline();
    settings.settleTime();
    settings.logsRequests();
    settings.isReadOnly();
  } catch (error) {
    const reason = "the settings are not complete";
    return [wrong("settings", messageOf(error)), skippedCheck("token", reason), skippedCheck("clock", reason)];
  }
  // The commands of this folder use the organization of its file.
  const organizationId = fileOrganization ?? settings.organizationId() ?? "";
  const context = await connect(run, organizationId);
  const address = visible(settings.requiredBaseUrl().value, 2048);
  const fromVariable = settings.organizationId() ?? organizationId;
  const used = `${address}, organization ${visible(organizationId)}`;
  const settingsFinding =
    fromVariable === organizationId
      ? ok("settings", used)
      : note(
          "settings",
          `${used} of organization.yaml; DOCS_ORGANIZATION_ID names ${visible(fromVariable)}, which audit and export use`,
        );
  const failure = await readOne(context);
  const { source } = settings.requiredToken(organizationId);
  const token = failure
    ? wrong("token", messageOf(failure))
    : ok("token", `accepted (${describeSource(source)}), and may read members`);
  const clock =
    failure && isUnanswered(failure) ? skippedCheck("clock", "the service did not answer") : checkClock(context);
  return [settingsFinding, token, clock];
}

async function readOne(context: Context): Promise<DocsError | undefined> {
  const { client, organizationId } = context;
  try {
    await explained(context, async () => client.listMembers({ organizationId, query: { limit: 1 } }));
    return undefined;
  } catch (error) {
    if (error instanceof DocsError) return error;
    throw error;
  }
}

function checkClock({ client }: Context): Check {
  const skew = Date.now() - client.now().getTime();
  const [seconds, direction] = [Math.round(Math.abs(skew) / 1_000), skew < 0 ? "behind" : "ahead of"];
  if (Math.abs(skew) <= mostSkew) return ok("clock", `within ${counted(mostSkew / 1_000, "second")} of the service`);
  const text = seconds < 600 ? counted(seconds, "second") : counted(Math.round(seconds / 60), "minute");
  return wrong(
    "clock",
    `${text} ${direction} the service; set the time of this machine, for example with timedatectl set-ntp true`,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof DocsError) return error.message;
  throw error;
}

import { grouped } from "./numbers";
import { Place } from "./place";
import type { Verdict } from "./verdicts";

/** Upper bounds of a command with a very large organization. */
interface Bounds {
  readonly seconds: number;
  readonly requests: number;
  /** MiB. */
  readonly memory: number;
}

const full = { members: 50_000, teams: 5_000 };
/** The engine writes its state after each resource; without that, a take-over of 5,000 teams does not take hours. */
const withoutCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** One read for each team and for each page of members, and a little more. */
const reads = ({ members, teams }: typeof full) => teams + Math.ceil(members / 1000) + 100;
/** The API has no list of teams: they are found through the teams of members, mostly with one request for each team. */
const readsWithSearch = (size: typeof full) => reads(size) + 1.5 * size.teams;

/** Exports, reviews, audits, and changes one membership in an organization with 50,000 members in 5,000 teams. */
export async function large(progress: (line: string) => void, size = full): Promise<Verdict[]> {
  const place = await Place.create("--members", `${size.members}`, "--teams", `${size.teams}`);
  const verdicts: Verdict[] = [];
  const measure = async (title: string, args: readonly string[], bounds: Bounds) => {
    const cost = await place.run(args);
    const what = `${grouped(size.members)} members in ${grouped(size.teams)} teams: ${title}`;
    for (const name of ["seconds", "requests", "memory"] as const) {
      const unit = name === "memory" ? "MiB of the largest process" : name;
      const [found, most] = [cost[name], bounds[name]];
      verdicts.push({
        what: `${what}: ${unit}`,
        found: grouped(found, name === "seconds" ? 1 : 0),
        bound: grouped(most),
        holds: found <= most,
      });
    }
    progress(`${what} took ${cost.seconds.toFixed(1)} s, ${cost.requests} requests, ${Math.round(cost.memory)} MiB`);
  };
  try {
    const [once, withSearch] = [reads(size), readsWithSearch(size)];
    await measure("export", ["export", "--out", "exported"], {
      seconds: 60,
      requests: withSearch,
      memory: 800,
    });
    const taken = await place.run(["take-over", "--yes"], withoutCheckpoints);
    progress(`the take-over took ${taken.seconds.toFixed(1)} s, ${taken.requests} requests`);
    await edit(place);
    // A review reads each team, and the teams of about one member of each; an up begins with a review, and reads again.
    await measure("review of a change", ["preview"], { seconds: 90, requests: 2 * once, memory: 800 });
    await measure("up of one change", ["up", "--yes"], { seconds: 480, requests: 4 * once, memory: 2_000 });
    await place.exportState("state.json");
    await measure("audit", ["audit", "--state", "state.json"], { seconds: 60, requests: withSearch, memory: 800 });
    return verdicts;
  } finally {
    await place.remove();
  }
}

/** Gives somebody another role. Of a large organization, the members are in files of their own. */
async function edit(place: Place): Promise<void> {
  const [file = "organization.yaml"] = await place.filesIn("members");
  const text = await place.read(file);
  const changed = text.replace(/(: (?:{ role: )?)read\b/, "$1comment");
  if (changed === text) throw new Error(`${file} has nobody with the role read`);
  await place.write(file, changed);
}

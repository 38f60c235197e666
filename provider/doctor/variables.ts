import { type Finding, note, ok, wrong } from "./check";

/** Variables that change what every run does, and are easily forgotten. */
export function checkVariables(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const found = set.flatMap(([name, value = ""]) => findingOf(name, value, environment) ?? []);
  return found.length > 0 ? found : [ok("variables", "none changes what a run does")];
}

function findingOf(name: string, value: string, environment: NodeJS.ProcessEnv): Finding | undefined {
  if (name === "DOCS_NOW") return note(name, `grants end as of ${value}; unset it, unless this is a test`);
  if (name === "NODE_TLS_REJECT_UNAUTHORIZED" && value === "0") {
    return wrong(
      name,
      "certificates are not checked, so anybody in between can read the token; unset it, and name the certificate of a proxy in NODE_EXTRA_CA_CERTS",
    );
  }
  const [, option] = /^PULUMI_OPTION_(\w+)$/.exec(name) ?? [];
  if (option !== undefined) {
    const flag = `--${option.toLowerCase().replaceAll("_", "-")}`;
    return note(name, `every command of pulumi runs with ${flag}, if it has it; unset it, unless this is intended`);
  }
  if (!proxies.includes(name) || reachesEngine(environment)) return undefined;
  return note(
    name,
    'the SDK of a program also uses this proxy for the engine on this machine ("14 UNAVAILABLE: No connection established"); set no_grpc_proxy=127.0.0.1,localhost. The commands of docs-org do so themselves',
  );
}

/** What the gRPC library of the SDK reads, in lower case only (seen in @grpc/grpc-js 1.14). */
const proxies = ["grpc_proxy", "https_proxy", "http_proxy"];

const reachesEngine = ({ no_grpc_proxy, no_proxy }: NodeJS.ProcessEnv): boolean =>
  (no_grpc_proxy || no_proxy || "").split(",").some((host) => host.trim() === "127.0.0.1");

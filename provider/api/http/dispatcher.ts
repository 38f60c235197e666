import type { buildConnector, Dispatcher } from "undici";
import { isLoopback } from "./base-url";
import { DocsError, ProxyFailure } from "./errors";
import { certificateRequired, codeOf } from "./failure";

const variables = ["https_proxy", "HTTPS_PROXY"];

/** Milliseconds that a connection may take, and the answer of a proxy. */
const longest = 10_000;

/** Connects to the host of the URL: directly, or through the proxy that the environment names (but for hosts in NO_PROXY). */
export async function createDispatcher({ hostname }: URL, deadline = longest): Promise<Dispatcher> {
  const { Agent, buildConnector, EnvHttpProxyAgent, Pool } = await import("undici");
  const timeout = Math.min(deadline, longest);
  const connect = showingAlerts(buildConnector({ timeout }));
  const options = { keepAliveTimeout: 10_000, connect, pipelining: 1 };
  const variable = variables.find((name) => process.env[name]);
  if (variable === undefined || isLoopback(hostname)) return new Agent(options);
  const proxy = process.env[variable] ?? "";
  // The text is not shown: it may have a password.
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new DocsError(`${variable} is not the address of a proxy; use one such as "http://proxy.acme.test:3128"`);
  }
  const clientFactory = (address: URL, poolOptions: object) => {
    const pool = new Pool(address, poolOptions);
    const proxyName = `the proxy ${address.origin} (${variable})`;
    return Object.assign(pool, { connect: tunnel(pool.connect.bind(pool), proxyName, timeout) });
  };
  return new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy, clientFactory });
}

/**
 * Reports that the server asks for a client certificate. With TLS 1.3 it does so after the handshake, and undici would report only
 * that the server closed the connection.
 */
function showingAlerts(connector: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    // The parameters are a tuple, so that TypeScript knows that one of them is set.
    connector(options, (...[failure, socket]: Parameters<buildConnector.Callback>) => {
      if (failure) return callback(failure, null);
      socket.prependListener("error", (error) => {
        if (codeOf(error) === certificateRequired) socket.destroy(error);
      });
      callback(null, socket);
    });
}

type Connect = (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;

/** Tells failures of the proxy from those of the service. Nothing of the request is sent before the tunnel exists. */
function tunnel(connect: Connect, proxy: string, timeout: number): Connect {
  return async (options) => {
    const answer = await connect({ ...options, signal: AbortSignal.timeout(timeout) }).catch((error: Error) => {
      const reason = error.message || (error as NodeJS.ErrnoException).code;
      throw new ProxyFailure(`${proxy} cannot be reached (${reason})${adviceFor(options.path)}`, 0, { cause: error });
    });
    const { statusCode: status, socket } = answer;
    if (status === 200) return answer;
    socket.on("error", () => undefined).destroy();
    if (status === 407) {
      const signIn =
        "asks for a user and a password (407); set them in the variable, as in http://USER:PASSWORD@HOST:PORT";
      throw new ProxyFailure(`${proxy} ${signIn}`, status);
    }
    const refusal = `does not connect to ${options.path} (it answered ${status})`;
    throw new ProxyFailure(`${proxy} ${refusal}${adviceFor(options.path)}`, status);
  };
}

/** What to do if the proxy does not connect to a host, which is given with its port. */
const adviceFor = (host = "") => `; check the proxy, or name ${host.replace(/:\d+$/, "")} in NO_PROXY if it needs none`;

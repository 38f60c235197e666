import type { InOrganization } from "./ask";
import { loadAsk } from "./late";
import type { Provider } from "./provider";

/** What every client has. The operations are in the type `Client` of `pulumi-docs-org/client`. */
export interface StackClient {
  /** Time of the service, from the `Date` header of its last answer. */
  now(): Date;
  /** Does nothing: the other functions of the package use the same connections. */
  close(): Promise<void>;
}

export interface ClientArgs extends InOrganization {
  /** A provider object of the provider plugin, whose settings the client has; by default, those of the stack. */
  readonly provider?: Provider | undefined;
}

/**
 * A client for the whole API, with the address and the token that the stack or a provider object has for the organization.
 *
 * The types of all operations are large, so only a program that uses them loads them: call `docs.client<Client>()`, with the type
 * `Client` of `pulumi-docs-org/client`.
 *
 * Its requests are sent when the program runs, in a preview as well: call operations that change something only unless
 * `pulumi.runtime.isDryRun()`.
 */
export async function client<Client extends StackClient = StackClient>({
  provider,
  ...args
}: ClientArgs = {}): Promise<Client> {
  const { contextOf, presentableError } = loadAsk();
  try {
    const { client: shared } = await contextOf(args, { provider });
    const stackClient: StackClient = { ...shared, close: async () => undefined };
    return stackClient as Client;
  } catch (error) {
    throw presentableError(error);
  }
}

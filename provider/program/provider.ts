import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../run/package";

/** Arguments of `Provider`. Omitted ones are taken from the environment. */
export interface ProviderArgs {
  /** Address of the service without `/v1`, such as `https://api.docs.example`. */
  readonly baseUrl?: pulumi.Input<string | undefined>;

  /** Organization of all resources of this provider that do not declare another one (`organizationId`). */
  readonly organizationId?: pulumi.Input<string | undefined>;

  /** API token. It is a secret, even if the value is not marked as one. */
  readonly token?: pulumi.Input<string | undefined>;

  /** API tokens by id of the organization, for resources that declare another organization. They are secrets as well. */
  readonly tokens?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}

interface Declared {
  readonly name: string;
  readonly args: ProviderArgs;
}

/**
 * A service and an organization, for programs that manage several: resources with the option `provider` use its settings
 * instead of those of the stack and of the environment.
 *
 * @example
 * ```ts
 * const partners = new docs.Provider("partners", { organizationId: "org_partners", token: config.requireSecret("partnersToken") });
 * new docs.Site("guide", { title: "Partner guide" }, { provider: partners });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  // Private for JavaScript as well: what prints a resource must not print the token.
  readonly #declared: Declared;

  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    const { token, tokens, ...plain } = args;
    const inputs = {
      ...plain,
      token: token && pulumi.secret(token),
      // The engine takes settings of a provider as texts only.
      tokens: tokens && pulumi.secret(pulumi.jsonStringify(tokens)),
    };
    const base = { version: packageVersion, additionalSecretOutputs: ["token", "tokens"] };
    super("docs", name, inputs, pulumi.mergeOptions(base, options));
    this.#declared = { name, args };
  }

  /**
   * What the program declares for a provider object; `undefined` for anything else.
   * @internal
   */
  static declaredFor(provider: object): Declared | undefined {
    return #declared in provider ? provider.#declared : undefined;
  }
}

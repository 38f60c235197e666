import type { People, SamlRecord } from "../members/record";
import type { SiteRecord } from "../sites/record";
import type { SpaceRecord } from "../spaces/record";
import type { TranslationRecord } from "../translations/record";

/**
 * Everything that the emulator stores: plain objects in maps, so that past states can be kept for reads that lag. Records hold
 * what the service would store; answers are derived from them. Tests may change records directly, like a person who uses the
 * service's user interface.
 */
export interface State {
  /** Number of the last record; increases with each one, so that lists keep their order after deletions. */
  sequence: number;
  readonly organizations: Map<string, Organization>;
}

export interface Organization extends People {
  readonly id: string;
  title: string;
  readonly createdAt: string;
  readonly spaces: Map<string, SpaceRecord>;
  readonly sites: Map<string, SiteRecord>;
  readonly saml: Map<string, SamlRecord>;
  readonly translations: Map<string, TranslationRecord>;
  /** User id of the member who owns the token: the first administrator by default. */
  caller: string | undefined;
}

import { formsOf, withoutForms } from "./secrets";

/** The texts that are kept: those of 1,000 resources with ten secret texts each. */
const mostTexts = 10_000;
/** Messages show less of a value. */
const longestText = 1_000;

/**
 * What the engine has marked as secret in any call of this process. A secret of one resource may be part of what the service
 * says about another one, so every message is searched for all of them.
 */
export class KnownSecrets {
  /** The forms of each text, the oldest first. */
  private readonly forms = new Map<string, readonly string[]>();

  /** Words in the `schema` of the package are no secrets outside the call: hiding `admin` would hide what a message says. */
  constructor(private readonly schema = "") {}

  add(texts: Iterable<string>): void {
    for (const whole of texts) {
      const text = whole.slice(0, longestText);
      const forms = this.forms.get(text) ?? this.formsToHide(text);
      this.forms.delete(text);
      this.forms.set(text, forms);
    }
    for (const oldest of this.forms.keys()) {
      if (this.forms.size <= mostTexts) return;
      this.forms.delete(oldest);
    }
  }

  hide(message: string): string {
    return this.forms.size === 0 ? message : withoutForms(message, [...this.forms.values()].flat());
  }

  private formsToHide(text: string): string[] {
    return this.schema.includes(JSON.stringify(text)) ? [] : formsOf(text);
  }
}

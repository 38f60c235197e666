import { escaped, hex } from "./text";

/** Writes invisible characters as escapes of YAML. The text must have them only between double quotes. */
export function escapedYaml(text: string): string {
  return escaped(text, (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`));
}

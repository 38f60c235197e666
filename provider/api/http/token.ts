import { longestToken } from "../../text/masking";

/** Why a token cannot be sent, and what to do; `undefined` if it can. No message shows the token. */
export function problemOfToken(token: string): string | undefined {
  if (token === "") return "the token is empty; set one, every request needs it";
  if (token.length > longestToken)
    return `the token has ${token.length} characters, and a request may have at most ${longestToken}; set it again`;
  // A header may contain nothing else.
  if (/^[\x21-\x7e]+$/.test(token)) return undefined;
  return "the token contains spaces, line breaks or other invalid characters; set it again";
}

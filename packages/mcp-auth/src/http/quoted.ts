import { printable } from "@agentprint/canonical-json";
import { MAX_QUOTED } from "../limits.ts";

/** Returns the text of a server, cut and escaped so that it is safe to print. */
export function quoted(text: string): string {
  return printable(text, MAX_QUOTED);
}

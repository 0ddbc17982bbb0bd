import { printable } from "@agentprint/canonical-json";
import { MAX_QUOTED } from "../limits.ts";

/** Returns a server's text, shortened and escaped so that it is safe to print. */
export function quoted(text: string): string {
  return printable(text, MAX_QUOTED);
}

import { escapeText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";

/** A text of unknown origin: what nobody sees in it is shown, and its direction stays in it. */
export function Shown({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{escapeText(text)}</bdi>;
}

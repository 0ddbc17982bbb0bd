import { escapeText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";

/** Shows text of unknown origin: makes invisible characters visible, and isolates its writing direction. */
export function Shown({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{escapeText(text)}</bdi>;
}

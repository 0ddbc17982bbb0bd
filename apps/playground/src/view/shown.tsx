import { escapeText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";

/** A text of unknown origin: invisible characters are shown, and its direction is isolated. */
export function Shown({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{escapeText(text)}</bdi>;
}

import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";
import type { ShownSides } from "../engine/shown-value.ts";
import { useTexts } from "../texts/language.ts";

/** The values before and after a change, where there are any. */
export function Sides({ before, after }: ShownSides): JSX.Element | null {
  const texts = useTexts();
  if (before === undefined && after === undefined) return null;
  return (
    <dl class="sides">
      {[
        [texts.before, before],
        [texts.after, after],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === undefined ? texts.absent : <code>{escapeJsonText(value)}</code>}</dd>
        </div>
      ))}
    </dl>
  );
}

import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { HunkLine, JsonHunk } from "@agentprint/report/hunks";
import type { JSX } from "preact";
import type { ChangedSides } from "../jobs/shown-value.ts";
import { useTexts } from "../texts/language.ts";

/** Shows the values before and after a change, line by line where they differ, or the value if there is only one. */
export function Sides({ hunks, before, after }: ChangedSides): JSX.Element | null {
  const texts = useTexts();
  if (hunks !== undefined)
    return (
      <>
        {hunks.map((hunk, index) => (
          <Hunk key={index} {...hunk} />
        ))}
      </>
    );
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

function Hunk({ skipped, before, after }: JsonHunk): JSX.Element {
  const texts = useTexts();
  return (
    <>
      {skipped > 0 && <p class="dim">{texts.sameLines(skipped)}</p>}
      <dl class="sides">
        <div>
          <dt>{texts.before}</dt>
          <dd>
            <pre>{before.map((line, index) => lineOf(line, index, "del"))}</pre>
          </dd>
        </div>
        <div>
          <dt>{texts.after}</dt>
          <dd>
            <pre>{after.map((line, index) => lineOf(line, index, "ins"))}</pre>
          </dd>
        </div>
      </dl>
    </>
  );
}

function lineOf({ text, isChanged }: HunkLine, index: number, Changed: "del" | "ins"): JSX.Element {
  return (
    <span key={index}>
      {isChanged ? <Changed>{text}</Changed> : `  ${text}`}
      {"\n"}
    </span>
  );
}

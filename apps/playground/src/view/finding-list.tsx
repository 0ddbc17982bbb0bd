import type { JSX } from "preact";
import type { ShownFinding } from "../jobs/shown-finding.ts";
import { useTexts } from "../texts/language.ts";
import { Badge, type Tone } from "./badge.tsx";
import { Shown } from "./shown.tsx";
import { Sides } from "./sides.tsx";

const LEVELS: Readonly<Record<ShownFinding["level"], Tone>> = { error: "bad", warning: "odd", note: "good" };

/** Shows findings with their places, both values, and their rules' help texts. */
export function FindingList({ findings }: { readonly findings: readonly ShownFinding[] }): JSX.Element {
  return (
    <ul class="plain">
      {findings.map((finding, index) => (
        <li key={index} class="card">
          <OneFinding {...finding} />
        </li>
      ))}
    </ul>
  );
}

function OneFinding({ level, rule, message, note, subject, pointer, help, sides }: ShownFinding): JSX.Element {
  const texts = useTexts();
  return (
    <>
      <p class="row">
        <Badge tone={LEVELS[level]} />
        <strong>{texts.levels[level]}</strong>
        <code>{rule}</code>
      </p>
      <div lang="en">
        <p>
          <Shown text={subject} />: <Shown text={message} />
          {pointer !== undefined && pointer !== "" && (
            <>
              {" "}
              <code>
                <Shown text={pointer} />
              </code>
            </>
          )}
        </p>
        {note !== undefined && (
          <p class="note">
            <Shown text={note} />
          </p>
        )}
      </div>
      <Sides {...sides} />
      <p class="dim" lang="en">
        {help}
      </p>
    </>
  );
}

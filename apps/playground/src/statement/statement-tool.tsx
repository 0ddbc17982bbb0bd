import type { JSX } from "preact";
import type { PartState, ShownStatement, StatementPart, StatementResult } from "../jobs/statement-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge, type Tone } from "../view/badge.tsx";
import { FindingList } from "../view/finding-list.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { LineField } from "../view/line-field.tsx";
import { Shown } from "../view/shown.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";

const OUTCOMES: Readonly<Record<StatementResult["outcome"], Tone>> = { holds: "good", partly: "odd", refuted: "bad" };
const STATES: Readonly<Record<PartState, Tone>> = { proven: "good", open: "odd", refuted: "bad" };

/** Shows an author's statement, and which of its parts the keys and locks prove. */
export function StatementTool({ state, onChange }: ToolProperties<"statement">): JSX.Element {
  const texts = useTexts().statement;
  const job = useJob("statement");
  const [server, at] = [asText(state.server), asText(state.at)];
  const field = (name: "accepted" | "before" | "keys" | "served" | "statement", rows?: number): JSX.Element => (
    <SourceField
      label={texts[name]}
      value={state[name]}
      {...(rows !== undefined && { rows })}
      onChange={(value) => onChange({ ...state, [name]: value })}
    />
  );
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run({ ...state, server, at })}>
        {field("statement")}
        {field("served")}
        {field("keys", 2)}
        <details class="wide" open={state.before !== "" || state.accepted !== ""}>
          <summary>{texts.more}</summary>
          <div class="row">
            {field("before")}
            {field("accepted")}
          </div>
        </details>
        <LineField label={texts.at} value={at} onChange={(value) => onChange({ ...state, at: value })} />
        <LineField label={texts.server} value={server} onChange={(value) => onChange({ ...state, server: value })} />
      </ToolForm>
      <JobStatus job={job}>{(result) => <Proof {...result} />}</JobStatus>
    </>
  );
}

/** Returns the text of a field that accepts no file. */
function asText(value: string | File): string {
  return typeof value === "string" ? value : "";
}

function Proof({ outcome, parts, findings, stated }: StatementResult): JSX.Element {
  const texts = useTexts().statement;
  const shown = Object.entries(parts) as [StatementPart, PartState][];
  return (
    <>
      <div class="card">
        <h2>
          <Badge tone={OUTCOMES[outcome]} /> {texts.outcomes[outcome]}
        </h2>
        <ul class="plain">
          {shown
            .filter(([part]) => stated !== undefined || part === "signature")
            .map(([part, is]) => (
              <li key={part}>
                <Badge tone={STATES[is]} /> {texts.parts[part][is]}
              </li>
            ))}
        </ul>
        <p class="note">{texts.never}</p>
      </div>
      <FindingList findings={findings} />
      {stated !== undefined && <Stated {...stated} />}
    </>
  );
}

function Stated({ server, version, verdict, issued, expires, subjects, keyId, digest }: ShownStatement): JSX.Element {
  const texts = useTexts().statement;
  const rows: readonly [string, readonly string[]][] = [
    [texts.release, [`${server} ${version}`]],
    [texts.level, [verdict === undefined ? texts.first : texts.levelAgainst(verdict.level, verdict.against)]],
    [texts.valid, [`${issued} – ${expires}`]],
    [texts.subjects, subjects],
    [texts.keyId, [keyId]],
    [texts.digest, [digest]],
  ];
  return (
    <div class="card">
      <h2>{texts.stated}</h2>
      <dl class="sides">
        {rows.map(([name, values]) => (
          <div key={name}>
            <dt>{name}</dt>
            {values.map((value) => (
              <dd key={value}>
                <Shown text={value} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

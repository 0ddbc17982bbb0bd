import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";
import type { SchemasResult, ShownChange } from "../jobs/schemas-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge, type Tone } from "../view/badge.tsx";
import { Choice } from "../view/choice.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { Shown } from "../view/shown.tsx";
import { Sides } from "../view/sides.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";

const VERDICTS: Readonly<Record<SchemasResult["verdict"], Tone>> = {
  compatible: "good",
  breaking: "bad",
  unknown: "odd",
};

/** Shows two JSON Schemas, the verdict on the change, and a value that proves a break. */
export function SchemasTool({ state, onChange }: ToolProperties<"schemas">): JSX.Element {
  const texts = useTexts().schemas;
  const job = useJob("schemas");
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run(state)}>
        <SourceField label={texts.before} value={state.before} onChange={(before) => onChange({ ...state, before })} />
        <SourceField label={texts.after} value={state.after} onChange={(after) => onChange({ ...state, after })} />
        <Choice
          label={texts.direction}
          value={state.direction}
          options={texts.directions}
          onChange={(direction) => onChange({ ...state, direction })}
        />
        <Choice
          label={texts.values}
          value={state.values}
          options={texts.valueKinds}
          onChange={(values) => onChange({ ...state, values })}
        />
      </ToolForm>
      <JobStatus job={job}>{(result) => <Verdict {...result} />}</JobStatus>
    </>
  );
}

function Verdict({ verdict, counterexample, changes, total, notes }: SchemasResult): JSX.Element {
  const texts = useTexts().schemas;
  return (
    <>
      <div class="card">
        <h2>
          <Badge tone={VERDICTS[verdict]} /> {texts.verdicts[verdict]}
        </h2>
        {counterexample !== undefined && (
          <>
            <p>{texts.counterexample[counterexample.acceptedBy]}</p>
            <pre>{escapeJsonText(counterexample.value)}</pre>
          </>
        )}
        {notes.map(({ code, message }) => (
          <p key={code} class="note" lang="en">
            <Shown text={message} />
          </p>
        ))}
      </div>
      {total > 0 && <h2>{texts.changes(total)}</h2>}
      <ul class="plain">
        {changes.map((change, index) => (
          <li key={index} class="card">
            <OneChange {...change} />
          </li>
        ))}
      </ul>
      {total > changes.length && <p class="note">{texts.more(total - changes.length)}</p>}
    </>
  );
}

function OneChange({ kind, path, effect, message, sides }: ShownChange): JSX.Element {
  const texts = useTexts().schemas;
  return (
    <>
      <p class="row">
        <code>{kind}</code>
        <code>
          <Shown text={path} />
        </code>
        <span class="dim">{texts.effects[effect]}</span>
      </p>
      <p lang="en">
        <Shown text={message} />
      </p>
      <Sides {...sides} />
    </>
  );
}

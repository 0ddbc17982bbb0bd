import type { JSX } from "preact";
import type { LevelDigest, TextResult } from "../jobs/text-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { Shown } from "../view/shown.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";

/** Shows the digests of a text at each level, and the levels at which two texts are equal. */
export function TextTool({ state, onChange }: ToolProperties<"text">): JSX.Element {
  const texts = useTexts().text;
  const job = useJob("text");
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run(state)}>
        <SourceField label={texts.first} value={state.first} onChange={(first) => onChange({ ...state, first })} />
        <SourceField label={texts.second} value={state.second} onChange={(second) => onChange({ ...state, second })} />
      </ToolForm>
      <JobStatus job={job}>{(result) => <Levels result={result} />}</JobStatus>
    </>
  );
}

function Levels({ result }: { readonly result: TextResult }): JSX.Element {
  const texts = useTexts().text;
  return (
    <ul class="plain">
      {result.map(({ level, digests: [first, second] }) => (
        <li key={level} class="card">
          <h2>
            <code>{level}</code>
          </h2>
          <p class="dim">{texts.levels[level]}</p>
          {first !== undefined && <Digest of={first} />}
          {first !== undefined && second !== undefined && <Second first={first} second={second} />}
        </li>
      ))}
    </ul>
  );
}

function Second({ first, second }: { readonly first: LevelDigest; readonly second: LevelDigest }): JSX.Element {
  const texts = useTexts().text;
  const isEqual = "digest" in first && "digest" in second && first.digest === second.digest;
  return (
    <>
      {!isEqual && <Digest of={second} />}
      <p>
        <Badge tone={isEqual ? "good" : "bad"} /> {isEqual ? texts.equal : texts.differ}
      </p>
    </>
  );
}

function Digest({ of }: { readonly of: LevelDigest }): JSX.Element {
  return (
    <p>
      {"digest" in of ? (
        <code class="digest">{of.digest}</code>
      ) : (
        <span lang="en">
          <Shown text={of.refusal} />
        </span>
      )}
    </p>
  );
}

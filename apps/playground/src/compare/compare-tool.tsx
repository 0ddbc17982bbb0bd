import type { JSX } from "preact";
import type { CompareResult } from "../jobs/compare-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge, type Tone } from "../view/badge.tsx";
import { FindingList } from "../view/finding-list.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { Shown } from "../view/shown.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";

const OUTCOMES: Readonly<Record<CompareResult["outcome"], Tone>> = { same: "good", drift: "bad", unknown: "odd" };

/** Shows two manifests or two locks, and the report on what changed. */
export function CompareTool({ state, onChange }: ToolProperties<"compare">): JSX.Element {
  const texts = useTexts().compare;
  const job = useJob("compare");
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run(state)}>
        <SourceField label={texts.before} value={state.before} onChange={(before) => onChange({ ...state, before })} />
        <SourceField label={texts.after} value={state.after} onChange={(after) => onChange({ ...state, after })} />
      </ToolForm>
      <JobStatus job={job}>{(result) => <Report {...result} />}</JobStatus>
    </>
  );
}

function Report({ outcome, summary, findings, total, onlyBefore, onlyAfter }: CompareResult): JSX.Element {
  const texts = useTexts().compare;
  return (
    <>
      <h2>
        <Badge tone={OUTCOMES[outcome]} /> {texts.outcomes[outcome]}
      </h2>
      <p lang="en">
        <Shown text={summary} />
      </p>
      <Names says={texts.onlyBefore} names={onlyBefore} />
      <Names says={texts.onlyAfter} names={onlyAfter} />
      <FindingList findings={findings} />
      {total > findings.length && <p class="note">{texts.more(total - findings.length)}</p>}
    </>
  );
}

function Names({ says, names }: { readonly says: string; readonly names: readonly string[] }): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <p class="note">
      {says}{" "}
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <Shown text={name} />
        </span>
      ))}
    </p>
  );
}

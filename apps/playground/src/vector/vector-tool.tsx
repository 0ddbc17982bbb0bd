import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "../engine/describe-error.ts";
import type { RunVector, VectorResult } from "../jobs/vector-job.ts";
import { formatFragment, type Shared } from "../share/fragment.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { LineField } from "../view/line-field.tsx";
import { Shown } from "../view/shown.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";
import { findSuite, type VectorIndex } from "./find-suite.ts";

/** Shows the results of a golden vector by its id, or of a complete suite, run with the page's packages. */
export function VectorTool({ state, onChange }: ToolProperties<"vector">): JSX.Element {
  const texts = useTexts().vector;
  const job = useJob("vector");
  const [loading] = useState(readIndex);
  const [index, setIndex] = useState<VectorIndex>({});
  const [refusal, setRefusal] = useState<string>();
  const id = typeof state.id === "string" ? state.id : "";
  useEffect(() => {
    loading.then(setIndex).catch((error: unknown) => setRefusal(describeError(error).message));
  }, [loading]);
  const run = async (): Promise<void> => {
    const found = findSuite(await loading, id.trim());
    setRefusal(found === undefined ? texts.unknown : undefined);
    if (found !== undefined) job.run(readText(`${found.suite}.json`).then((suite) => ({ suite, id: found.id })));
  };
  return (
    <>
      <ToolForm run={texts.run} onRun={() => void run().catch(() => {})}>
        <LineField label={texts.id} value={id} list="suites" onChange={(next) => onChange({ id: next })} />
        <datalist id="suites">
          {Object.keys(index).map((suite) => (
            <option key={suite} value={suite} />
          ))}
        </datalist>
      </ToolForm>
      {refusal !== undefined && (
        <p class="note bad" role="alert">
          <Shown text={refusal} />
        </p>
      )}
      {refusal === undefined && <JobStatus job={job}>{(result) => <Suite {...result} />}</JobStatus>}
    </>
  );
}

async function readIndex(): Promise<VectorIndex> {
  return JSON.parse(await readText("index.json"));
}

/** Reads one of the golden vectors' files, which are next to the page. */
async function readText(name: string): Promise<string> {
  const response = await fetch(new URL(`vectors/${name}`, document.baseURI));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.text();
}

function Suite({ suite, operation, description, source, passed, failed, shown }: VectorResult): JSX.Element {
  const texts = useTexts().vector;
  return (
    <>
      <div class="card">
        <h2>
          <Badge tone={failed === 0 ? "good" : "bad"} /> {texts.passed(passed, failed)}
        </h2>
        <p class="row">
          <code>{suite}</code>
          <code>{operation}</code>
        </p>
        <p lang="en">{description}</p>
        <p class="dim">
          {texts.source} <span lang="en">{source}</span>
        </p>
      </div>
      {shown.map((vector) => (
        <OneVector key={vector.id} {...vector} />
      ))}
    </>
  );
}

function OneVector({ id, comment, input, expected, actual, status, opens }: RunVector): JSX.Element {
  const texts = useTexts().vector;
  const parts = [
    [texts.input, input],
    [texts.expected, expected],
    [texts.actual, actual],
  ] as const;
  return (
    <div class="card">
      <h2>
        <Badge tone={status === "passed" ? "good" : status === "failed" ? "bad" : "odd"} /> {id}:{" "}
        {texts.statuses[status]}
      </h2>
      <p lang="en">{comment}</p>
      {opens !== undefined && <InputLink {...opens} />}
      {parts.map(([name, text]) => (
        <div key={name}>
          <h3>{name}</h3>
          <pre>{escapeJsonText(text)}</pre>
        </div>
      ))}
    </div>
  );
}

/** Shows a link that opens a vector's input in a tool with fields for it, unless the input is too long for a link. */
function InputLink(shared: Shared): JSX.Element | null {
  const texts = useTexts();
  const fragment = formatFragment(shared);
  if (fragment === undefined) return null;
  return (
    <p>
      <a href={fragment}>{texts.vector.openInput(texts[shared.tool].name)}</a>
    </p>
  );
}

import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { JSX } from "preact";
import { type Canonical, type CanonicalResult, type Difference, PROFILES } from "../jobs/canonical-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { HexView } from "../view/hex-view.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { saveFile } from "../view/save-file.ts";
import { Shown } from "../view/shown.tsx";
import { SourceField } from "../view/source-field.tsx";
import { ToolForm } from "../view/tool-form.tsx";
import type { ToolProperties } from "../view/tool-properties.ts";
import { useJob } from "../view/use-job.ts";

/** The maximum number of bytes of a canonical text that are shown as text. */
const MAX_SHOWN = 4096;

/** Shows JSON documents, their canonical texts and digests in both profiles, and the first place where two of them differ. */
export function CanonicalTool({ state, onChange }: ToolProperties<"canonical">): JSX.Element {
  const texts = useTexts().canonical;
  const job = useJob("canonical");
  return (
    <>
      <ToolForm run={texts.run} onRun={() => job.run(state)}>
        <SourceField label={texts.first} value={state.first} onChange={(first) => onChange({ ...state, first })} />
        <SourceField label={texts.second} value={state.second} onChange={(second) => onChange({ ...state, second })} />
      </ToolForm>
      <JobStatus job={job}>{(result) => <Result {...result} />}</JobStatus>
    </>
  );
}

function Result({ documents, difference }: CanonicalResult): JSX.Element {
  const texts = useTexts().canonical;
  return (
    <>
      {difference !== undefined && <FirstDifference difference={difference} />}
      {documents.map((profiles, index) => (
        <div class="card" key={index}>
          <h2>{texts.document(index + 1)}</h2>
          <Profiles profiles={profiles} mark={difference?.offset} />
        </div>
      ))}
    </>
  );
}

function FirstDifference({ difference }: { readonly difference: Difference | null }): JSX.Element {
  const { canonical: texts, absent } = useTexts();
  if (difference === null)
    return (
      <p>
        <Badge tone="good" /> {texts.same}
      </p>
    );
  const { changes, pointer, before, after, places, offset } = difference;
  const sides = [
    [texts.before, before, places[0]],
    [texts.after, after, places[1]],
  ] as const;
  return (
    <div class="card">
      <h2>
        <Badge tone="bad" /> {texts.differ(changes)}
      </h2>
      <p>
        {texts.pointer}{" "}
        {pointer === "" ? (
          texts.root
        ) : (
          <code>
            <Shown text={pointer} />
          </code>
        )}
      </p>
      <dl>
        {sides.map(([side, value, place]) => (
          <div key={side}>
            <dt>
              {side}
              {place !== undefined && `, ${texts.place(place.line, place.column)}`}
            </dt>
            <dd>{value === undefined ? absent : <code>{escapeJsonText(value)}</code>}</dd>
          </div>
        ))}
      </dl>
      {offset !== undefined && <p>{texts.offset(offset)}</p>}
    </div>
  );
}

interface ProfilesProperties {
  readonly profiles: readonly [Canonical, Canonical];
  readonly mark: number | undefined;
}

/** Shows the results of both profiles, merged if they are equal. */
function Profiles({ profiles, mark }: ProfilesProperties): JSX.Element {
  const texts = useTexts().canonical;
  const [first, second] = profiles;
  if ("digest" in first && "digest" in second && first.digest === second.digest) {
    return (
      <>
        <p class="dim">
          {PROFILES.join(", ")}: {texts.sameProfiles}
        </p>
        <OneProfile canonical={first} mark={mark} />
      </>
    );
  }
  return (
    <>
      {profiles.map((canonical, index) => (
        <div key={index}>
          <h3>{PROFILES[index]}</h3>
          <OneProfile canonical={canonical} mark={index === 0 ? mark : undefined} />
        </div>
      ))}
    </>
  );
}

function OneProfile({
  canonical,
  mark,
}: {
  readonly canonical: Canonical;
  readonly mark: number | undefined;
}): JSX.Element {
  const all = useTexts();
  const texts = all.canonical;
  if ("refusal" in canonical) {
    return (
      <p class="note bad">
        <Badge tone="bad" /> {texts.refused}{" "}
        <span lang="en">
          <Shown text={canonical.refusal} />
        </span>
      </p>
    );
  }
  const { bytes, digest } = canonical;
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_SHOWN), { stream: true });
  return (
    <>
      <dl>
        <dt>{texts.digest}</dt>
        <dd>
          <code class="digest">{digest}</code>
        </dd>
        <dt>
          {texts.text}, {all.bytes(bytes.length)}
        </dt>
        <dd>
          <pre>{escapeJsonText(text)}</pre>
        </dd>
      </dl>
      {bytes.length > MAX_SHOWN && (
        <p class="row">
          <span class="dim">{all.shownOf(MAX_SHOWN, bytes.length)}</span>
          <button type="button" onClick={() => saveFile(bytes as Uint8Array<ArrayBuffer>, "canonical.json")}>
            {all.saveText}
          </button>
        </p>
      )}
      <details open={mark !== undefined}>
        <summary>{texts.byteByByte}</summary>
        <HexView bytes={bytes} mark={mark} />
      </details>
    </>
  );
}

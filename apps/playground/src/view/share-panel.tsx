import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "../engine/describe-error.ts";
import { readSource } from "../jobs/read-source.ts";
import { formatFragment, formatState, parseState, type Shared } from "../share/fragment.ts";
import type { ToolName, ToolState } from "../share/tools.ts";
import { useTexts } from "../texts/language.ts";
import { saveFile } from "./save-file.ts";
import { Shown } from "./shown.tsx";

interface Properties {
  readonly tool: ToolName;
  readonly state: ToolState<ToolName>;
  readonly onOpen: (shared: Shared) => void;
}

/** Makes a link to a tool's fields, or a file if they are too long for a link; also opens such a file. */
export function SharePanel({ tool, state, onOpen }: Properties): JSX.Element {
  const texts = useTexts().share;
  const [shared, setShared] = useState<Shared>();
  const [refusal, setRefusal] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => setShared(undefined), [tool, state]);
  const fields = Object.entries(state);
  const typed = fields.filter((field): field is [string, string] => typeof field[1] === "string");
  const make = (): void => {
    const made: Shared = { tool, state: Object.fromEntries(typed) };
    setIsCopied(false);
    setShared(made);
    const fragment = formatFragment(made);
    if (fragment !== undefined) history.replaceState(null, "", fragment);
  };
  const open = async (file: File): Promise<void> => {
    try {
      const bytes = await readSource(file);
      setRefusal(undefined);
      onOpen(parseState(bytes as Uint8Array));
    } catch (error) {
      setRefusal(describeError(error).message);
    }
  };
  return (
    <section class="share" aria-labelledby="share">
      <h2 id="share">{texts.title}</h2>
      <p class="row">
        <button type="button" onClick={make}>
          {texts.link}
        </button>
        <label class="button" for="saved">
          {texts.open}
        </label>
        <input
          id="saved"
          class="unseen"
          type="file"
          accept=".json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void open(file);
            currentTarget.value = "";
          }}
        />
      </p>
      {refusal !== undefined && (
        <p class="note bad" role="alert">
          {texts.refused}{" "}
          <span lang="en">
            <Shown text={refusal} />
          </span>
        </p>
      )}
      <div role="status">
        {shared !== undefined && typed.length < fields.length && <p class="note">{texts.files}</p>}
        {shared !== undefined && <Made shared={shared} isCopied={isCopied} onCopied={() => setIsCopied(true)} />}
      </div>
    </section>
  );
}

interface MadeProperties {
  readonly shared: Shared;
  readonly isCopied: boolean;
  readonly onCopied: () => void;
}

function Made({ shared, isCopied, onCopied }: MadeProperties): JSX.Element {
  const texts = useTexts().share;
  const fragment = formatFragment(shared);
  if (fragment === undefined) {
    const save = (): void => saveFile(formatState(shared), `agentprint-${shared.tool}.json`);
    return (
      <p class="row">
        <span>{texts.tooLong}</span>
        <button type="button" onClick={save}>
          {texts.save}
        </button>
      </p>
    );
  }
  const link = new URL(fragment, location.href).href;
  return (
    <>
      <p class="row">
        <input
          class="grow"
          aria-label={texts.linkLabel}
          readOnly
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" onClick={() => void navigator.clipboard.writeText(link).then(onCopied, () => {})}>
          {texts.copy}
        </button>
        {isCopied && <span>{texts.copied}</span>}
      </p>
      <p class="dim">{texts.linkHelp}</p>
    </>
  );
}

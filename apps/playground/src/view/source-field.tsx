import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { useTexts } from "../texts/language.ts";
import { Shown } from "./shown.tsx";

interface Properties {
  readonly label: string;
  readonly value: string | File;
  readonly rows?: number;
  readonly onChange: (value: string | File) => void;
}

/** The maximum size in bytes of a file whose text is put into the field, where it can be edited and shared. */
const MAX_TYPED = 256 * 1024;

/** Shows a field for a typed text or for a chosen or dropped file; only the worker reads a large file. */
export function SourceField({ label, value, rows = 6, onChange }: Properties): JSX.Element {
  const texts = useTexts();
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined) void asTyped(file).then(onChange);
  };
  return (
    <fieldset
      class={isOver ? "field over" : "field"}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <label for={id}>{label}</label>
      {typeof value === "string" ? (
        <textarea
          id={id}
          rows={rows}
          spellcheck={false}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <p id={id} class="file">
          <Shown text={value.name} /> · {texts.bytes(value.size)}
        </p>
      )}
      <p class="row">
        {typeof value === "string" ? (
          <>
            <label class="button" for={`${id}-file`}>
              {texts.chooseFile}
              <span class="unseen">: {label}</span>
            </label>
            <input
              id={`${id}-file`}
              class="unseen"
              type="file"
              onChange={({ currentTarget }) => {
                take(currentTarget.files?.[0]);
                currentTarget.value = "";
              }}
            />
            <span class="dim">{texts.dropHere}</span>
          </>
        ) : (
          <button type="button" onClick={() => onChange("")}>
            {texts.removeFile}
          </button>
        )}
      </p>
    </fieldset>
  );
}

/** Returns the text of a small text file; otherwise, returns the file itself. */
async function asTyped(file: File): Promise<string | File> {
  if (file.size > MAX_TYPED) return file;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    return file;
  }
}

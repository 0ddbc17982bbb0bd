import type { JSX } from "preact";
import { useId } from "preact/hooks";

interface Properties {
  readonly label: string;
  readonly value: string;
  /** The id of a list of suggestions. */
  readonly list?: string;
  readonly onChange: (value: string) => void;
}

/** Shows a field for one line of text. */
export function LineField({ label, value, list, onChange }: Properties): JSX.Element {
  const id = useId();
  return (
    <div class="field line">
      <label for={id}>{label}</label>
      <input
        id={id}
        list={list}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

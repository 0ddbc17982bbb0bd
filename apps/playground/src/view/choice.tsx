import type { JSX } from "preact";
import { useId } from "preact/hooks";

interface Properties<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

/** Lets the user choose one of a few values. */
export function Choice<Value extends string>({ label, value, options, onChange }: Properties<Value>): JSX.Element {
  const id = useId();
  return (
    <div class="field line">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

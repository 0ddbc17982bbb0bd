import type { JSX } from "preact";

/** The meaning of a mark. */
export type Tone = "good" | "bad" | "odd";

const MARKS: Readonly<Record<Tone, string>> = { good: "✓", bad: "✗", odd: "!" };

/** Shows a mark next to a sentence with the same meaning, so that neither depends on colour. */
export function Badge({ tone }: { readonly tone: Tone }): JSX.Element {
  return (
    <span class={`badge ${tone}`} aria-hidden="true">
      {MARKS[tone]}
    </span>
  );
}

import type { ComponentChildren, JSX } from "preact";

interface Properties {
  /** The text of the button. */
  readonly run: string;
  readonly onRun: () => void;
  readonly children: ComponentChildren;
}

/** The fields of a tool, and the button that starts it. */
export function ToolForm({ run, onRun, children }: Properties): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      {children}
      <p class="actions">
        <button class="main" type="submit">
          {run}
        </button>
      </p>
    </form>
  );
}

import { type ComponentChildren, createContext, type JSX } from "preact";
import { useContext, useEffect } from "preact/hooks";

/** Whether the fields of the tool on the page were filled with its example. */
export const StoryContext = createContext(false);

/** Whether the tool on the page starts immediately, because its fields were filled before it was opened. */
export const StartsContext = createContext(false);

interface Properties {
  /** The button's text. */
  readonly run: string;
  readonly onRun: () => void;
  readonly children: ComponentChildren;
}

/**
 * Shows the fields of a tool, and the button that starts it; a tool that is opened with its fields filled starts
 * immediately.
 */
export function ToolForm({ run, onRun, children }: Properties): JSX.Element {
  const starts = useContext(StartsContext);
  useEffect(() => {
    if (starts) onRun();
  }, []);
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

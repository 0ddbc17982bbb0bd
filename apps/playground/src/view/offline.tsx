import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "../engine/describe-error.ts";
import { keepEverything, registerServiceWorker } from "../offline/register.ts";
import { useTexts } from "../texts/language.ts";
import { Shown } from "./shown.tsx";

type State = "idle" | "keeping" | "impossible" | { readonly kept: number } | { readonly error: string };

/** Offers to keep all files of the page, so that every tool works without a network. */
export function Offline(): JSX.Element {
  const texts = useTexts().offline;
  const [state, setState] = useState<State>("idle");
  useEffect(() => {
    registerServiceWorker().catch(() => setState("impossible"));
  }, []);
  const keep = async (): Promise<void> => {
    setState("keeping");
    setState(await keepEverything().catch((error: unknown) => ({ error: describeError(error).message })));
  };
  return (
    <div class="row">
      {state !== "impossible" && (
        <button type="button" disabled={state === "keeping"} onClick={keep}>
          {texts.keep}
        </button>
      )}
      <span role="status">
        {state === "impossible" && texts.impossible}
        {state === "keeping" && texts.keeping}
        {typeof state === "object" &&
          ("kept" in state ? (
            texts.kept(state.kept)
          ) : (
            <>
              {texts.failed} <Shown text={state.error} />
            </>
          ))}
      </span>
    </div>
  );
}

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeError } from "../engine/describe-error.ts";
import type { Engine } from "../engine/engine.ts";
import type { ProofResult } from "../jobs/proof-job.ts";
import type { TrailRow } from "../jobs/rows-job.ts";
import type { ShownProblem, TrailResult } from "../jobs/trail-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { Shown } from "../view/shown.tsx";
import { ChainRow } from "./chain-row.tsx";

/** The number of rows drawn at once. */
const ROWS = 50;

interface Properties {
  readonly result: TrailResult;
  /** The engine whose worker verified the trail and keeps it open. */
  readonly engine: Engine;
}

/** Shows the chain a few records at a time, with the problems of each record. */
export function DrawnChain({ result: { records, problems }, engine }: Properties): JSX.Element | null {
  const texts = useTexts().trail;
  const firstBad = problems[0]?.at ?? 0;
  const [from, setFrom] = useState(pageOf(firstBad));
  const [rows, setRows] = useState<readonly TrailRow[]>([]);
  const [proof, setProof] = useState<{ readonly at: number; readonly is: ProofResult | string }>();
  const [focused, setFocused] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    let isLeft = false;
    const load = engine.ask("rows", { from, to: Math.min(from + ROWS, records) });
    load.then((loaded) => !isLeft && setRows(loaded)).catch(() => {});
    return () => {
      isLeft = true;
    };
  }, [engine, from, records]);
  useEffect(() => {
    if (focused !== undefined) list.current?.querySelector<HTMLElement>(`[data-at="${focused}"]`)?.focus();
  }, [rows, focused]);
  if (records === 0) return null;
  const last = Math.min(from + ROWS, records);
  const goTo = (at: number): void => {
    setFocused(at);
    setFrom(pageOf(at));
  };
  const prove = async (at: number): Promise<void> => {
    setProof({ at, is: await engine.ask("proof", { at }).catch((error: unknown) => describeError(error).message) });
  };
  const next = nextProblem(problems, focused);
  return (
    <section aria-labelledby="chain">
      <h2 id="chain">{texts.chainTitle}</h2>
      <p class="row">
        <button type="button" disabled={from === 0} onClick={() => setFrom(from - ROWS)}>
          {texts.earlier}
        </button>
        <button type="button" disabled={last >= records} onClick={() => setFrom(from + ROWS)}>
          {texts.later}
        </button>
        {next !== undefined && (
          <button type="button" onClick={() => goTo(next)}>
            {texts.nextProblem}
          </button>
        )}
        <span class="dim" role="status">
          {texts.range(from + 1, last, records)}
        </span>
      </p>
      <ol class="chain" start={from + 1} ref={list}>
        {rows.map((row) => (
          <ChainRow
            key={row.at}
            row={row}
            problems={problems.filter(({ at }) => at === row.at)}
            onProve={() => void prove(row.at)}
          >
            {proof?.at === row.at && <Proof is={proof.is} />}
          </ChainRow>
        ))}
      </ol>
    </section>
  );
}

function pageOf(at: number): number {
  return Math.floor(at / ROWS) * ROWS;
}

/** Returns the line of the next problem; after the last problem, the line of the first. */
function nextProblem(problems: readonly ShownProblem[], focused = -1): number | undefined {
  return (problems.find(({ at }) => at > focused) ?? problems[0])?.at;
}

function Proof({ is }: { readonly is: ProofResult | string }): JSX.Element {
  const texts = useTexts().trail;
  if (typeof is === "string") {
    return (
      <p class="note bad" role="status" lang="en">
        <Shown text={is} />
      </p>
    );
  }
  return (
    <div role="status">
      <p>
        <Badge tone={is.holds ? "good" : "bad"} /> {is.holds ? texts.proven[is.of](is.size) : texts.notProven}
      </p>
      <pre>{is.text}</pre>
    </div>
  );
}

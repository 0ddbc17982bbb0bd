import type { ComponentChildren, JSX } from "preact";
import type { RecordRow, TrailRow } from "../jobs/rows-job.ts";
import type { ShownProblem } from "../jobs/trail-job.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { Shown } from "../view/shown.tsx";

/** The number of hash digits that a row shows. */
const DIGITS = 12;

interface Properties {
  readonly row: TrailRow;
  readonly problems: readonly ShownProblem[];
  readonly onProve: () => void;
  /** The proof of the record, once requested. */
  readonly children: ComponentChildren;
}

/** Shows a record of the chain: a link to the previous one, its content, and its problems. */
export function ChainRow({ row, problems, onProve, children }: Properties): JSX.Element {
  const texts = useTexts().trail;
  const isBad = problems.length > 0;
  return (
    <li class={isBad ? "bad" : "good"} data-at={row.at} tabIndex={isBad ? -1 : undefined}>
      {"unreadable" in row ? (
        <p lang="en">
          <Shown text={row.unreadable} />
        </p>
      ) : (
        <>
          <Link row={row} />
          <p class="row">
            <Badge tone={isBad ? "bad" : "good"} />
            <strong>{row.type}</strong>
            <Shown text={row.id} />
            <span class="dim">
              <Shown text={row.time} /> · <Shown text={row.task} />
            </span>
            <code title={row.hash}>
              <Shown text={row.hash.slice(0, DIGITS)} />…
            </code>
            <button type="button" onClick={onProve}>
              {texts.prove}
              <span class="unseen"> {row.at + 1}</span>
            </button>
          </p>
          <p>
            <Shown text={row.content} />
          </p>
        </>
      )}
      {problems.map(({ kind, message, path }, index) => (
        <p key={index} class="note bad">
          <strong>{texts.problemKinds[kind]}</strong>{" "}
          <span lang="en">
            <Shown text={message} />
          </span>
          {path !== undefined && (
            <>
              {" "}
              <code>
                <Shown text={path} />
              </code>
            </>
          )}
        </p>
      ))}
      {children}
    </li>
  );
}

/** Shows the link to the previous record, if that record is in the previous line. */
function Link({ row: { follows, previous } }: { readonly row: RecordRow }): JSX.Element {
  const texts = useTexts().trail;
  const isFirst = /^0+$/.test(previous);
  const says = isFirst
    ? texts.genesis
    : follows === undefined
      ? texts.followsOther
      : follows
        ? texts.follows
        : texts.broken;
  return (
    <p class={follows === false ? "link broken" : "link"}>
      <span>{says}</span>
      {!isFirst && (
        <code>
          <Shown text={previous.slice(0, DIGITS)} />…
        </code>
      )}
    </p>
  );
}

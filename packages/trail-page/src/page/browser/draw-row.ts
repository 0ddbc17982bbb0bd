/// <reference lib="dom" />
import { escapeJsonText } from "@agentprint/canonical-json/text";
import type { TrailEntry } from "@agentprint/recorder/events";
import type { Row } from "../../row.ts";
import { recordOf } from "../entry-lines.ts";
import { make, shown } from "./elements.ts";

const MARKS = { bad: "✗", good: "✓", odd: "!", plain: "", quiet: "" } as const;

/** The inputs needed to draw a row. */
export interface RowDrawing {
  readonly row: Row;
  /** Whether the row names its task, because there are several. */
  readonly withTask: boolean;
  readonly entryAt: (place: number) => Promise<TrailEntry | undefined>;
}

/** Returns a row's element; opening it shows the row's records. */
export function drawRow({ row, withTask, entryAt }: RowDrawing): HTMLElement {
  const { tone, time, label, what, why, task, records } = row;
  const badge = make("span", "label", `${MARKS[tone]} ${label}`.trim());
  const parts = [make("span", "time", shown(time)), badge, make("span", "what", shown(what))];
  if (why.length > 0) parts.push(make("span", "why", shown(why.join(" · "))));
  if (withTask && task !== "") parts.push(make("span", "of", shown(`task ${task}`)));
  const line = make("span", "line", ...parts);
  if (records.length === 0) return make("li", `row ${tone}`, line);
  const details = make("details", "", make("summary", "", line));
  details.addEventListener("toggle", () => void open(details, records, entryAt), { once: true });
  return make("li", `row ${tone}`, details);
}

async function open(details: HTMLElement, records: readonly number[], entryAt: RowDrawing["entryAt"]): Promise<void> {
  for (const place of records) {
    const entry = await entryAt(place);
    if (entry === undefined) continue;
    const event = "event" in entry ? { event: entry.event } : {};
    const value = recordOf(entry);
    const record = value instanceof Error ? { message: value.message } : value;
    const text = JSON.stringify({ place, is: entry.is, ...event, record }, null, 2);
    details.append(make("pre", "", escapeJsonText(text)));
  }
}

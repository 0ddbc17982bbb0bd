import { createHash } from "node:crypto";
import { ZERO_HASH } from "@agentprint/trail";
import { parseThoughtLines } from "@agentprint/trail/chain";

const HASHED = ["content", "id", "prev_hash", "task_id", "timestamp", "type"] as const;
type Record = { readonly [field in (typeof HASHED)[number] | "hash"]: string };

/** One way in which writers deviate from the canonical text of a record. */
interface Deviation {
  readonly words: string;
  /** Changes the hashed members, in their order. */
  readonly members?: (members: [name: string, value: string][], record: Record) => [name: string, value: string][];
  /** Changes the JSON text of a name or a value. */
  readonly text?: (json: string) => string;
  readonly separators?: readonly [colon: string, comma: string];
}

const DEVIATIONS: readonly Deviation[] = [
  {
    words: 'characters beyond ASCII escaped as \\u… ("ensure_ascii" of Python)',
    text: (json) => json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  },
  {
    words: "timestamps that end in +00:00 instead of Z",
    members: (members) =>
      members.map(([name, value]) => [name, name === "timestamp" ? value.replace(/Z$/, "+00:00") : value]),
  },
  { words: "a space after each colon and comma", separators: [": ", ", "] },
  {
    words: "members in the order of the record",
    members: (members, record) => {
      const order = Object.keys(record);
      return [...members].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    },
  },
];

/** All sets of deviations except the empty one, smaller sets first. */
const RULES: readonly (readonly Deviation[])[] = Array.from({ length: 2 ** DEVIATIONS.length - 1 }, (_, set) =>
  DEVIATIONS.filter((_deviation, bit) => ((set + 1) >> bit) & 1),
).sort((a, b) => a.length - b.length);

/**
 * Returns in words how every record of a text is hashed, if one rule that other writers use fits all records, and every
 * chain is intact under it; `undefined` if none does.
 */
export async function findOtherRule(chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  let rules = RULES;
  const heads = new Map<string, string>();
  for await (const value of parseThoughtLines(chunks)) {
    const record = value as Record;
    if (record.prev_hash !== (heads.get(record.task_id) ?? ZERO_HASH)) return undefined;
    heads.set(record.task_id, record.hash);
    rules = rules.filter((rule) => digestBy(rule, record) === record.hash);
    if (rules.length === 0) return undefined;
  }
  return rules[0]?.map(({ words }) => words).join(", ");
}

function digestBy(rule: readonly Deviation[], record: Record): string {
  let members: [string, string][] = HASHED.map((name) => [name, record[name]]);
  for (const deviation of rule) members = deviation.members?.(members, record) ?? members;
  const write = (value: string): string =>
    rule.reduce((json, { text = (same: string) => same }) => text(json), JSON.stringify(value));
  const [colon, comma] = rule.find(({ separators }) => separators)?.separators ?? [":", ","];
  const text = members.map(([name, value]) => `${write(name)}${colon}${write(value)}`).join(comma);
  return createHash("sha256").update(`{${text}}`).digest("hex");
}

import { z } from "zod";
import { fromBase64, isBase64, toBase64 } from "../base64.ts";
import { readJson } from "../envelope.ts";
import { StatementError } from "../errors.ts";
import { hash, text, time } from "../fields.ts";
import { checkShape } from "../shape.ts";
import { STATEMENT_TYPE } from "../statement.ts";
import { EVIDENCE_TYPE, type Evidence, type EvidencePredicate, MAX_EVIDENCE_BYTES } from "./evidence.ts";

/** The maximum number of parts in a bundle. */
const MAX_PARTS = 20_000;
/** The length of the longest name, in UTF-16 units. */
const MAX_NAME = 1024;
/** A proof has at most two hashes for each level of a tree of 2^53 records. */
const MAX_PROOF = 128;

const name = text.max(MAX_NAME);
const index = z.int().min(0);
const hashes = z.array(hash).max(MAX_PROOF);

const part = z.object({
  name,
  mediaType: name,
  digest: z.object({ sha256: hash }),
  content: z.string().refine((value) => isBase64(value) && toBase64(fromBase64(value)) === value, "canonical Base64"),
});

const checkpoint = z.object({
  note: name,
  inclusion: z.array(z.object({ index, size: index, hashes })).max(2),
  consistency: z.object({ oldSize: index, newSize: index, hashes }).optional(),
});

const EVIDENCE = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(part).min(1).max(MAX_PARTS),
  predicateType: z.literal(EVIDENCE_TYPE),
  predicate: z.object({
    made: time,
    versions: z.record(name, name),
    period: z
      .object({ from: time.optional(), to: time.optional() })
      .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
        message: "a time after from",
        path: ["to"],
      }),
    lock: name,
    configuration: name.optional(),
    attestations: z.array(name),
    statements: z
      .array(z.object({ server: text, part: name }))
      .refine((all) => areDistinct(all.map(({ server }) => server)), "one statement per server"),
    trails: z
      .array(z.object({ task: text, records: name, first: index, checkpoints: z.array(checkpoint) }))
      .refine((all) => areDistinct(all.map(({ task }) => task)), "one trail per task"),
  }),
});

function areDistinct(all: readonly string[]): boolean {
  return new Set(all).size === all.length;
}

/**
 * Returns the evidence in a payload. Requires that each part has a unique name, and that the predicate names each part
 * once and no others.
 *
 * @throws {@link StatementError} `invalid-evidence`
 */
export function readEvidence(payload: Uint8Array): Evidence {
  const value = readJson(payload, "invalid-evidence", MAX_EVIDENCE_BYTES);
  const evidence = checkShape(EVIDENCE, value, "invalid-evidence") as Evidence;
  const names = new Set<string>();
  evidence.subject.forEach(({ name: own }, at) => {
    if (names.has(own)) throw refused("two parts have the same name", `/subject/${at}/name`, "a unique name");
    names.add(own);
  });
  for (const { named, path } of namesIn(evidence.predicate)) {
    if (!names.delete(named)) throw refused("there is no such part, or it is named twice", path, "the name of a part");
  }
  const at = evidence.subject.findIndex(({ name: own }) => names.has(own));
  if (at >= 0) throw refused("a part's kind is unknown", `/subject/${at}/name`, "a part that the predicate names");
  return evidence;
}

function refused(message: string, path: string, expected: string): StatementError {
  return new StatementError("invalid-evidence", message, { path, expected });
}

/** Returns the part names in a predicate, with their places. */
function namesIn(predicate: EvidencePredicate): { readonly named: string; readonly path: string }[] {
  const { lock, configuration, attestations, statements, trails } = predicate;
  const at = (named: string, path: string) => ({ named, path: `/predicate/${path}` });
  return [
    at(lock, "lock"),
    ...(configuration === undefined ? [] : [at(configuration, "configuration")]),
    ...attestations.map((each, i) => at(each, `attestations/${i}`)),
    ...statements.map((each, i) => at(each.part, `statements/${i}/part`)),
    ...trails.flatMap(({ records, checkpoints }, i) => [
      at(records, `trails/${i}/records`),
      ...checkpoints.map(({ note }, j) => at(note, `trails/${i}/checkpoints/${j}/note`)),
    ]),
  ];
}

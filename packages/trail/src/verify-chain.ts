import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
import { LineReader } from "./jsonl.ts";

/** Records as they come: from memory, or from a file or a database as they are read. */
export type RecordSource = Iterable<unknown> | AsyncIterable<unknown>;

/**
 * Verifies the records of one task in the order in which they come: schema, hashes, links, one genesis record, ids,
 * one task, and agreement with checkpoints. An error of the source itself is thrown: it is no finding about the chain.
 *
 * It keeps about 50 bytes a record in typed arrays, however large the records are.
 *
 * @example
 * ```ts
 * import { verifyChain } from "@agentprint/trail/chain";
 *
 * const report = await verifyChain(records);
 * if (!report.ok) console.log(report.firstBadIndex, report.problems[0]?.kind);
 * ```
 */
export async function verifyChain(records: RecordSource, options: VerifyChainOptions = {}): Promise<ChainReport> {
  const verifier = new ChainVerifier(options);
  if (Symbol.asyncIterator in records) for await (const record of records) verifier.push(record);
  else for (const record of records) verifier.push(record);
  return verifier.finish();
}

/**
 * Verifies the JSON Lines text of one task, which comes in pieces of UTF-8: {@link verifyChain} of
 * `parseThoughtLines`, and faster.
 *
 * @throws `TrailError` `line-too-long`, and what the source throws.
 *
 * @example
 * ```ts
 * import { createReadStream } from "node:fs";
 * import { verifyThoughtLines } from "@agentprint/trail/chain";
 *
 * const report = await verifyThoughtLines(createReadStream("trail.jsonl"));
 * ```
 */
export async function verifyThoughtLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: VerifyChainOptions = {},
): Promise<ChainReport> {
  const verifier = new ChainVerifier(options);
  const reader = new LineReader();
  for await (const chunk of chunks) for (const value of reader.read(chunk)) verifier.push(value);
  for (const value of reader.end()) verifier.push(value);
  return verifier.finish();
}

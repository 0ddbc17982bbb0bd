import { checkArgument } from "../check-argument.ts";
import type { ChainReport } from "./chain-report.ts";
import { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";

/** Records from memory, or from a file or a database while it is read. */
export type RecordSource = Iterable<unknown> | AsyncIterable<unknown>;

/**
 * Verifies the records of one task in the given order: schema, hashes, links, one genesis record, ids,
 * one task, and agreement with checkpoints.
 *
 * It keeps 45 to 57 bytes per record in typed arrays, however large the records are.
 *
 * @throws {@link TrailError} `invalid-checkpoint` when one of `options.checkpoints` is not a tree head. An error of
 * `records` itself passes through; it says nothing about the chain.
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
  checkArgument("records", records, "iterable");
  checkArgument("options", options, "object");
  const verifier = new ChainVerifier(options);
  if (Symbol.asyncIterator in records) for await (const record of records) verifier.push(record);
  else for (const record of records) verifier.push(record);
  return verifier.finish();
}

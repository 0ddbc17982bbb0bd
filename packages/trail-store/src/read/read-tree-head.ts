import type { ChainVerifier } from "@agentprint/trail/chain";
import { type TreeHead, TreeHeadBuilder } from "@agentprint/trail/checkpoint";
import type { StoredThought } from "../database/schema.ts";
import { TrailStoreError } from "../errors.ts";

/**
 * Verifies a task's chain, and returns its tree head; if `last` is given, the tree head of its records up to this
 * position, with their range.
 *
 * @throws {@link TrailStoreError} `invalid-trail` when the chain has a problem
 */
export async function readTreeHead(
  pages: AsyncIterable<readonly StoredThought[]>,
  verifier: ChainVerifier,
  { authors, last }: { readonly authors: boolean; readonly last: number | undefined },
): Promise<TreeHead> {
  let builder: TreeHeadBuilder | undefined;
  const begin = (): TreeHeadBuilder =>
    new TreeHeadBuilder({ authors, range: last !== undefined, behind: verifier.dropped });
  for await (const page of pages) {
    for (const row of page) {
      verifier.push(row);
      builder ??= begin();
      if (row.position <= (last ?? row.position)) builder.append(row);
    }
  }
  const report = verifier.finish();
  if (!report.ok) {
    throw new TrailStoreError("invalid-trail", `not signed: ${report.problems[0]?.message}`, { report });
  }
  return (builder ?? begin()).treeHead();
}

import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { readHistory } from "./read-history.ts";
import { isLost } from "./remember-version.ts";

/**
 * Checks that no version was left out between two that follow one another: the numbers between them are recorded as lost in a rollback.
 *
 * @throws {@link RegistryClientError} `invalid-answer` when one of them is not; others as {@link readHistory} does.
 */
export async function checkBetween(
  connection: Connection,
  agentId: string,
  before: number,
  next: number,
): Promise<void> {
  for (let after = before; after < next - 1; ) {
    const { entries } = await readHistory(connection, agentId, after);
    if (entries.length === 0) throw leftOut(agentId, before, next);
    for (const entry of entries) {
      if (entry.version < next && !isLost(entry)) throw leftOut(agentId, before, next);
      after = entry.version;
    }
  }
}

function leftOut(agentId: string, before: number, next: number): RegistryClientError {
  const message = `expected version ${before + 1} of ${agentId} behind version ${before}, received version ${next}`;
  return new RegistryClientError("invalid-answer", message);
}

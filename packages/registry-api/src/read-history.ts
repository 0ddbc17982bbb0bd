import { HistorySchema } from "./answers/answer-schemas.ts";
import type { History } from "./answers/answers.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { agentPath, asAsked, checked } from "./names.ts";
import { send } from "./request.ts";

/**
 * The records of an agent after version `after`; at most `limit`.
 *
 * @throws {@link RegistryClientError} as `send` does; `invalid-answer` when they are of another agent, or not those
 * after `after`.
 */
export async function readHistory(
  connection: Connection,
  agentId: string,
  after: number,
  limit?: number,
): Promise<History> {
  const path = `${agentPath(agentId)}/history?after=${after}${limit === undefined ? "" : `&limit=${limit}`}`;
  const history = checked(HistorySchema, await send(connection, { method: "GET", path }));
  asAsked(history, { agent_id: agentId, task_id: `agents/${agentId}` });
  history.entries.forEach(({ version }, index) => {
    if (version === after + index + 1) return;
    const message = `expected the record of version ${after + index + 1} of ${agentId}, received version ${version}`;
    throw new RegistryClientError("invalid-answer", message);
  });
  return history;
}

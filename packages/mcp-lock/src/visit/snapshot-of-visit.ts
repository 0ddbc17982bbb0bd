import { isJsonObject } from "@agentprint/canonical-json";
import { McpLockError } from "../errors.ts";
import { readSession } from "./read-session.ts";
import type { ServerSnapshot } from "./snapshot.ts";
import type { ListName, VisitAnswers } from "./visit-answers.ts";

/**
 * The part of a visit that version 1 of the lock pinned: the last reading of one session with the handshake, and only the
 * lists that the server declared.
 *
 * @throws {@link McpLockError} `invalid-definition` when the visit had no session with the handshake, or its greeting is
 * incomplete.
 */
export function snapshotOfVisit({ launch, clientCapabilities, sessions }: VisitAnswers): ServerSnapshot {
  const index = sessions.findIndex(({ era }) => era === "legacy");
  const answers = sessions[index];
  if (answers === undefined) {
    throw new McpLockError(
      "invalid-definition",
      "/sessions",
      "Expected a session with the handshake, as it was pinned",
    );
  }
  const { lists } = readSession(answers, index);
  const { protocolVersion } = answers;
  const { serverInfo, capabilities, instructions } = answers.greetings.at(-1) ?? {};
  if (!isJsonObject(serverInfo) || !isJsonObject(capabilities)) {
    throw new McpLockError(
      "invalid-definition",
      `/sessions/${index}/greetings`,
      "Expected objects as serverInfo and capabilities",
    );
  }
  const declared = (capability: string, list: ListName) =>
    capabilities[capability] === undefined
      ? []
      : (lists[list]?.at(-1)?.items ?? []).map(({ definition }) => definition);
  return {
    launch,
    clientCapabilities,
    protocolVersion,
    serverInfo,
    capabilities,
    ...(typeof instructions === "string" && { instructions }),
    tools: declared("tools", "tools"),
    prompts: declared("prompts", "prompts"),
    resources: declared("resources", "resources"),
    resourceTemplates: declared("resources", "resourceTemplates"),
  };
}

import type { JsonValue } from "@agentprint/canonical-json";
import type { SessionName } from "@agentprint/mcp";
import type { LockedContent, LockedItem, LockedServer, LockedTool } from "../lock/lock.ts";
import { sessionState } from "../lock/session-state.ts";
import type { ServerPart } from "./drift.ts";

/** The definitions of one session, in the form that a diff of two server states compares. */
export interface ComparedState {
  readonly parts: Readonly<Partial<Record<ServerPart, JsonValue>>>;
  readonly tools: readonly LockedTool[];
  readonly prompts: readonly LockedItem[];
  readonly resources: readonly LockedItem[];
  readonly resourceTemplates: readonly LockedItem[];
  readonly contents: readonly LockedContent[];
}

/** Returns the state of one of an entry's sessions. */
export function stateOfSession(entry: LockedServer, name: SessionName): ComparedState {
  const spoken = entry.sessions.find(({ session }) => session === name) ?? { session: name, protocolVersion: "" };
  const state = sessionState(entry, spoken);
  const { protocolVersion, supportedVersions, unread, parts } = state;
  return {
    ...state,
    parts: {
      protocolVersion,
      ...(supportedVersions !== undefined && { supportedVersions }),
      ...(unread && { unread: [...unread] }),
      ...parts,
    },
  };
}

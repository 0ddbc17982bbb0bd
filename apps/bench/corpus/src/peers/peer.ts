import type { JsonObject } from "../../../../../packages/canonical-json/src/index.ts";
import type { VisitAnswers } from "../../../../../packages/mcp-lock/src/index.ts";
import { commonSession } from "../edits/edit.ts";

/** What a server shows a common client with the handshake: all that a peer is given. */
export interface Offer {
  readonly instructions?: string;
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
}

/** Two offers of one server to compare. */
export interface Comparison {
  readonly before: Offer;
  readonly after: Offer;
}

/**
 * What a peer said of one comparison, by subject: `tool NAME`, `prompt NAME`, `resource URI` or `instructions`. The text is
 * another one where the peer saw something else.
 */
export interface PeerAnswer {
  /** What the peer tells somebody. */
  readonly told: ReadonlyMap<string, string>;
  /** What the peer makes an application stop on. */
  readonly stopped: ReadonlyMap<string, string>;
}

/** A peer in the results. */
export type PeerId = "hash" | "ai" | "mcp-pin strict" | "mcp-pin graded";

/** Another way to notice that a server changed. */
export interface Peer {
  readonly id: PeerId;
  /** What a table calls it. */
  readonly label: string;
  readonly compare: (comparisons: readonly Comparison[]) => Promise<readonly PeerAnswer[]>;
}

export function offerOf(answers: VisitAnswers): Offer {
  const { greetings, lists } = commonSession(answers);
  const instructions = greetings.at(-1)?.["instructions"];
  const items = (list: "tools" | "prompts" | "resources"): JsonObject[] =>
    (lists[list]?.at(-1) ?? []).flatMap((page) => page[list] as JsonObject[]);
  return {
    ...(typeof instructions === "string" && { instructions }),
    tools: items("tools"),
    prompts: items("prompts"),
    resources: items("resources"),
  };
}

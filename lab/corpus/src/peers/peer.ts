import type { JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import type { VisitAnswers } from "../../../../packages/mcp/src/index.ts";
import { commonSession } from "../edits/edit.ts";

/** The definitions that a server offers to a common client after the handshake: a peer's complete input. */
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
 * A peer's answer to one comparison, by subject: `tool NAME`, `prompt NAME`, `resource URI` or `instructions`. Two
 * texts differ if the peer saw different definitions.
 */
export interface PeerAnswer {
  /** The changes that the peer reports. */
  readonly reported: ReadonlyMap<string, string>;
  /** The changes for which the peer stops an application. */
  readonly stopped: ReadonlyMap<string, string>;
}

/** The id of a peer in the results. */
export type PeerId = "hash" | "ai" | "mcp-pin strict" | "mcp-pin graded";

/** Another way to notice that a server changed. */
export interface Peer {
  readonly id: PeerId;
  /** The peer's name in a table. */
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

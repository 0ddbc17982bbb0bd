import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch } from "./launch.ts";
import type { VisitAnswers } from "./visit-answers.ts";

/** The state of a server: all its answers in a visit, or the part of one session that version 1 of the lock pinned. */
export type ServerState = VisitAnswers | ServerSnapshot;

/** Everything that a server told one session with the handshake, as version 1 of the lock pinned it. */
export interface ServerSnapshot {
  readonly launch: Launch;
  /** The capabilities that the client declared in `initialize`: servers offer different tools to different clients. */
  readonly clientCapabilities: JsonObject;
  /** The protocol version that the server agreed to. */
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  /** All pages of `tools/list`, nothing stripped. */
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
}

/** The reason why a visit has no answers: the server did not start, took too long, or sent what is no message of MCP. */
export interface CheckFailure {
  readonly failure: {
    /** Stable, machine-readable reason, for example `timeout`. */
    readonly code: string;
    /** One sentence for people. */
    readonly message: string;
  };
}

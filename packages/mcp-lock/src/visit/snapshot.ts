import type { JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "./visit-answers.ts";

/** How a server is started or reached. Names of environment variables and headers only, never their values. */
export type Launch =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: string[];
      readonly cwd?: string;
      /** Names of the environment variables that are passed on. */
      readonly env: string[];
    }
  | {
      readonly type: "http";
      readonly url: string;
      /** Names of the request headers that are sent. */
      readonly headers: string[];
    };

/** What a server is: all that it answered in a visit, or what version 1 of the lock took of one session. */
export type ServerState = VisitAnswers | ServerSnapshot;

/** Everything that a server said about itself in one session with the handshake, as version 1 of the lock pinned it. */
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

/** Why there is no snapshot: the server did not start, timed out, answered garbage. */
export interface CheckFailure {
  readonly failure: {
    /** Stable, machine-readable reason, for example `timeout`. */
    readonly code: string;
    /** One sentence for people. */
    readonly message: string;
  };
}

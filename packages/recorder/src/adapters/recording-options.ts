import type { RecorderError } from "../errors.ts";

/** A value that may be recorded along with its digest. */
export interface Content {
  /**
   * The kind of the value: for a tool `arguments` and `result`, for a model `messages`, `instructions`, `tools` and
   * `result`.
   */
  readonly of: "arguments" | "error" | "instructions" | "messages" | "result" | "tools";
  /** The name of the tool; absent for a model call. */
  readonly tool?: string;
  /** In the framework's form; for an `error`, its message. */
  readonly value: unknown;
}

/** The hashes of a capability link, as `@agentprint/agent-capabilities` makes one. */
export interface TurnLink {
  readonly staticHash: string;
  readonly runtimeHash: string;
  readonly invocationHash?: string;
  readonly instructionsHash?: string | null;
}

/** How the calls of a framework are recorded. */
export interface RecordingOptions {
  /**
   * Records contents along with their digests: `true` records them unchanged, a function returns the recorded form of
   * each, `undefined` for nothing. Default false.
   */
  readonly contents?: boolean | ((content: Content) => unknown);
  /** Returns the capability link of the current turn, before each model call. It is recorded when it has changed. */
  readonly link?: () => TurnLink | PromiseLike<TurnLink>;
  /** Called once for each error code when something could not be recorded. Default: a process warning. */
  readonly onError?: (error: RecorderError) => void;
}

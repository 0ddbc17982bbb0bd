import type { RecorderError } from "../errors.ts";

/** A value that may be recorded along with its digest. */
export interface Content {
  /**
   * The kind of value: `arguments` or `result` for a tool; `messages`, `instructions`, `tools` or `result` for a model.
   */
  readonly of: "arguments" | "error" | "instructions" | "messages" | "result" | "tools";
  /** The name of the tool; absent for a model call. */
  readonly tool?: string;
  /** The value in the framework's form; for an `error`, its message. */
  readonly value: unknown;
}

/** The hashes of a capability link, in the form that `@agentprint/agent-capabilities` creates. */
export interface TurnLink {
  readonly staticHash: string;
  readonly runtimeHash: string;
  readonly invocationHash?: string;
  readonly instructionsHash?: string | null;
}

/** How a framework's calls are recorded. */
export interface RecordingOptions {
  /**
   * Records contents along with their digests: `true` records them unchanged; a function returns the form in which to
   * record each content, or `undefined` to record nothing. Default false.
   */
  readonly contents?: boolean | ((content: Content) => unknown);
  /** Returns the capability link of the current turn, before each model call. It is recorded when it has changed. */
  readonly link?: () => TurnLink | PromiseLike<TurnLink>;
  /** Called once for each error code if something could not be recorded. Default: a process warning. */
  readonly onError?: (error: RecorderError) => void;
}

import type { RecorderError } from "../errors.ts";

/** A value that may be recorded along with its digest. */
export interface Content {
  /** The kind of the value: of a tool `arguments` and `result`, of a model `messages`, `instructions`, `tools` and `result`. */
  readonly of: "arguments" | "error" | "instructions" | "messages" | "result" | "tools";
  /** The name of the tool; absent if it is a model that is called. */
  readonly tool?: string;
  /** As the framework has it; of an `error` its message. */
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
   * Records contents along with their digests: `true` as they are, or what the function returns for each, `undefined`
   * for nothing. Default false.
   */
  readonly contents?: boolean | ((content: Content) => unknown);
  /** Gives the capability link of the present turn, before each call of a model. It is recorded when it has changed. */
  readonly link?: () => TurnLink | PromiseLike<TurnLink>;
  /** Is called once for each code of an error, when something could not be recorded. Default: a warning of the process. */
  readonly onError?: (error: RecorderError) => void;
}

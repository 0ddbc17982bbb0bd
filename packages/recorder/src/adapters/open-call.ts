import type { RecordedEvent } from "../event/event.ts";
import { type ContentWriter, PartsDigest } from "./content-writer.ts";

/** The recorded end of a call. */
export type CallEnd = Extract<RecordedEvent, { readonly kind: "model-result" | "result" }>;

/** The members that all events of a call share, and the members of only some of them. */
export interface CallNames {
  readonly kind: "call" | "model-call";
  readonly call: string;
  readonly tool: string | undefined;
  readonly trace: string | undefined;
}

/**
 * Additional attributes for the end of a call, under OpenTelemetry's names. Values that are not allowed in an attribute
 * are omitted.
 */
export type Attributes = Readonly<Record<string, unknown>>;

type End = Omit<CallEnd, "agent" | "sequence" | "session">;

/** A call whose start is recorded. Only its first end is recorded. */
export class OpenCall {
  readonly #names: CallNames;
  readonly #writer: ContentWriter;
  readonly #record: (end: End) => void;
  readonly #listeners: (() => void)[] = [];
  #parts: PartsDigest | undefined;
  #isOpen = true;

  constructor(names: CallNames, writer: ContentWriter, record: (end: End) => void) {
    this.#names = names;
    this.#writer = writer;
    this.#record = record;
  }

  /** Calls `listener` once the end is recorded. */
  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Receives a part of the result. {@link finished} is called after the last part. */
  part(value: unknown): void {
    if (!this.#isOpen) return;
    this.#parts ??= new PartsDigest(this.#writer.isWanted);
    this.#parts.add(value);
  }

  /** Ends the call after all parts have arrived. */
  finished(attributes: Attributes = {}): void {
    this.#end("ok", {}, this.#parts ?? new PartsDigest(this.#writer.isWanted), attributes);
  }

  /** Ends the call with its result, which may declare itself an error. */
  returned(value: unknown, attributes: Attributes = {}, isError = false): void {
    this.#end(isError ? "error" : "ok", {}, value, attributes);
  }

  /** Ends the call with the error that it threw, or as cancelled if it was aborted. */
  threw(error: unknown, isAborted = false): void {
    const { name, message } = nameOf(error);
    const isCancelled = isAborted || name === "AbortError" || name === "TimeoutError";
    this.#end(isCancelled ? "cancelled" : "error", { code: name }, undefined, {}, message);
  }

  /** Ends a call that no one is waiting for any longer. */
  left(reason: "abandoned" | "interrupted" | "not-recorded" | "session-end"): void {
    this.#end("cancelled", { reason });
  }

  #end(
    outcome: "cancelled" | "error" | "ok",
    more: Partial<Pick<End, "code" | "reason">>,
    result?: unknown,
    attributes: Attributes = {},
    error?: string,
  ): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { kind, call, tool, trace } = this.#names;
    const written = this.#writer.write({ result, error }, tool);
    this.#record({
      kind: kind === "call" ? "result" : "model-result",
      call,
      outcome,
      ...(tool !== undefined && { tool }),
      ...(trace !== undefined && { trace }),
      ...(written.isIncomplete && { reason: "no-canonical-text" }),
      ...more,
      ...membersOf(written, attributes),
    });
    for (const listener of this.#listeners) listener();
  }
}

/** Returns an event's `digests` and `attributes`, if any. */
export function membersOf(
  written: Pick<CallEnd, "attributes" | "digests">,
  attributes: Attributes,
): Pick<CallEnd, "attributes" | "digests"> {
  const all: Record<string, boolean | number | string> = { ...written.attributes };
  for (const [name, value] of Object.entries(attributes)) if (isScalar(value)) all[name] = value;
  return {
    ...(Object.keys(written.digests ?? {}).length > 0 && { digests: written.digests }),
    ...(Object.keys(all).length > 0 && { attributes: all }),
  } as Pick<CallEnd, "attributes" | "digests">;
}

function isScalar(value: unknown): value is boolean | number | string {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Returns the name and the message of a thrown value. */
function nameOf(error: unknown): { readonly name: string; readonly message: string } {
  try {
    if (error instanceof Error) return { name: String(error.name), message: String(error.message) };
    return { name: typeof error, message: String(error) };
  } catch {
    return { name: "unknown", message: "" };
  }
}

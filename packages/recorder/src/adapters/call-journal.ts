import { randomUUID } from "node:crypto";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { RecorderError } from "../errors.ts";
import type { EventInput } from "../event/event.ts";
import type { Acknowledgement } from "../recorder/acknowledgement.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { ContentWriter, digestOf } from "./content-writer.ts";
import { type Attributes, type CallNames, membersOf, OpenCall } from "./open-call.ts";
import type { Content, RecordingOptions, TurnLink } from "./recording-options.ts";
import { traceParent } from "./trace-parent.ts";

/** A call that is about to be made. */
export interface CallStart {
  readonly kind: "call" | "model-call";
  /** The id that the model assigned. */
  readonly call?: string | undefined;
  readonly tool?: string | undefined;
  /** The call's values, by the kind of content. */
  readonly values: Readonly<Partial<Record<Content["of"], unknown>>>;
  readonly attributes?: Attributes;
}

/** Records one framework's calls: exactly one end for each start, whatever happens to the recorder. */
export class CallJournal {
  readonly #recorder: Recorder;
  readonly #writer: ContentWriter;
  readonly #link: RecordingOptions["link"];
  readonly #onError: (error: RecorderError) => void;
  readonly #open = new Set<OpenCall>();
  readonly #reported = new Set<string>();
  /** Ends the calls whose result can no longer be read. */
  readonly #forgotten = new FinalizationRegistry<OpenCall>((call) => call.left("abandoned"));
  #capabilities: string | undefined;

  constructor(recorder: Recorder, { contents = false, link, onError = warn }: RecordingOptions = {}) {
    this.#recorder = recorder;
    this.#link = link;
    this.#onError = onError;
    this.#writer = new ContentWriter(contents, (cause) => {
      this.#tell(new RecorderError("not-recorded", "a content is omitted: it could not be redacted", { cause }));
    });
    recorder.onClosing(() => {
      for (const call of this.#open) call.left("session-end");
    });
  }

  /**
   * Records that a call is about to be made, and waits until the call may continue.
   *
   * @throws {@link RecorderError} `lost` or `closed`, only in mode `before`; the call must then not be made.
   */
  async begin(start: CallStart): Promise<OpenCall> {
    if (start.kind === "model-call" && this.#link) await this.#recordLink(this.#link);
    const { kind, tool, values, attributes = {} } = start;
    const names: CallNames = { kind, tool, call: start.call || randomUUID(), trace: traceParent() };
    const call = new OpenCall(names, this.#writer, (end) => this.#record(end as EventInput));
    const written = this.#writer.write(values, tool);
    const acknowledgement = this.#record({
      kind,
      call: names.call,
      ...(tool !== undefined && { tool }),
      ...(names.trace !== undefined && { trace: names.trace }),
      ...(written.isIncomplete && { reason: "no-canonical-text" }),
      ...membersOf(written, attributes),
    });
    if (acknowledgement instanceof RecorderError) {
      if (this.#recorder.mode === "before") throw acknowledgement;
      return call;
    }
    this.#open.add(call);
    call.onEnd(() => this.#open.delete(call));
    try {
      await acknowledgement.ready;
    } catch (error) {
      call.left("not-recorded");
      throw error;
    }
    return call;
  }

  /** Ends the call as abandoned once nothing references `stream`. */
  watch(stream: object, call: OpenCall): void {
    this.#forgotten.register(stream, call);
  }

  /** Records that a part of the framework was not observed. */
  fault(reason: string): void {
    this.#record({ kind: "fault", reason });
  }

  async #recordLink(make: () => TurnLink | PromiseLike<TurnLink>): Promise<void> {
    let link: TurnLink;
    try {
      link = await make();
    } catch (cause) {
      this.#tell(new RecorderError("not-recorded", "the capability link could not be made", { cause }));
      return this.fault("no-capability-link");
    }
    const capabilities = digestOf(link);
    if (capabilities === undefined) return this.fault("no-capability-link");
    if (capabilities === this.#capabilities) return;
    const { staticHash, runtimeHash, invocationHash, instructionsHash } = link;
    const parts = {
      static: staticHash,
      runtime: runtimeHash,
      invocation: invocationHash,
      instructions: instructionsHash,
    };
    const hashes = Object.entries(parts).filter(([, hash]) => isSha256Hex(hash));
    const recorded = this.#record({ kind: "link", digests: { capabilities, ...Object.fromEntries(hashes) } });
    if (!(recorded instanceof RecorderError)) this.#capabilities = capabilities;
  }

  #record(event: EventInput): Acknowledgement | RecorderError {
    try {
      return this.#recorder.record(event);
    } catch (error) {
      const failure = error as RecorderError;
      this.#tell(failure);
      return failure;
    }
  }

  #tell(error: RecorderError): void {
    if (this.#reported.has(error.code)) return;
    this.#reported.add(error.code);
    try {
      this.#onError(error);
    } catch {
      // The call continues even if the callback throws.
    }
  }
}

function warn(error: RecorderError): void {
  process.emitWarning(error.message, { code: `AGENTPRINT_RECORDER_${error.code.toUpperCase()}` });
}

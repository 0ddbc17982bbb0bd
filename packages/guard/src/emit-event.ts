import { canonicalize, hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { definitionSetHashV1 } from "@agentprint/mcp-lock";
import type { EventContents, EventDigests, GuardEvent } from "./events.ts";
import type { Message } from "./step.ts";
import { digestOf, type Locked } from "./verify/baseline.ts";
import type { ItemVerdict } from "./verify/verdict.ts";

/** The values that the digests of an event are computed from. */
export interface Digested {
  readonly arguments?: JsonValue | undefined;
  readonly result?: Message | undefined;
  readonly tool?: Locked | undefined;
  /** The verdicts on all tools or all prompts. */
  readonly listing?: ReadonlyMap<string, ItemVerdict> | undefined;
}

const PROFILE = { profile: "ecmascript" } as const;

/** Digests that are computed on first access, so that an unread event costs none. */
export class LazyDigests implements EventDigests {
  readonly #of: Digested;
  readonly lock: string;
  #arguments: string | undefined;
  #result: string | undefined;
  #listing: string | undefined;

  constructor(of: Digested, lock: string) {
    this.#of = of;
    this.lock = lock;
  }

  get arguments(): string | undefined {
    const { arguments: given } = this.#of;
    if (given !== undefined) this.#arguments ??= hashCanonical(given, PROFILE);
    return this.#arguments;
  }

  get result(): string | undefined {
    const { result } = this.#of;
    if (result !== undefined) this.#result ??= digestOfMessage(result);
    return this.#result;
  }

  get listing(): string | undefined {
    const { listing } = this.#of;
    if (listing !== undefined) this.#listing ??= definitionSetHashV1([...listing.values()].map(({ live }) => live));
    return this.#listing;
  }

  get tool(): string | undefined {
    return this.#of.tool && digestOf(this.#of.tool);
  }
}

function digestOfMessage(message: Message): string {
  const isText = typeof message === "string" || message instanceof Uint8Array;
  return isText ? sha256Hex(message) : hashCanonical(message as JsonObject, PROFILE);
}

/** Texts that are made on access. */
export class LazyContents implements EventContents {
  readonly #of: Digested;

  constructor(of: Digested) {
    this.#of = of;
  }

  get arguments(): string | undefined {
    return this.#of.arguments === undefined ? undefined : canonicalize(this.#of.arguments, PROFILE);
  }

  get result(): string | undefined {
    const { result } = this.#of;
    if (result === undefined || typeof result === "string") return result;
    return result instanceof Uint8Array ? new TextDecoder().decode(result) : canonicalize(result, PROFILE);
  }
}

/** The members of an event that its emitter states; the guard adds the others. */
export type EventDetails = Omit<
  GuardEvent,
  "server" | "contents" | "digests" | "time" | "decision" | "findings" | "tools"
> &
  Partial<Pick<GuardEvent, "decision" | "findings">>;

/** The values from which the guard derives members of an event. */
export interface EventSources {
  readonly of?: Digested;
  /** The verdicts on the tools, where the whole list was verified. */
  readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
}

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
class LazyDigests implements EventDigests {
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
class LazyContents implements EventContents {
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

/** What the emitter of an event states; the guard adds the other members. */
export interface EventDetails
  extends Pick<GuardEvent, "kind" | "from" | "outcome">,
    Partial<Pick<GuardEvent, "decision" | "findings">> {
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly reason?: string | undefined;
  readonly failure?: GuardEvent["failure"] | undefined;
  /** The request that the event follows from; where there is none, the event gets an id of its own. */
  readonly about?: Pick<GuardEvent, "correlation" | "request"> | undefined;
}

/** What the emitter of an event about a message states. */
export type ExchangeEvent = Omit<EventDetails, "from" | "method" | "about">;

/** The values from which the guard derives members of an event. */
export interface EventSources {
  readonly of?: Digested;
  /** The verdicts on the tools, where the whole list was verified. */
  readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
}

/** The members of an event that are the same for all messages of a moment. */
type Given = Pick<GuardEvent, "server" | "time" | "correlation"> & { readonly lock: string };

/** Returns an event. */
export function eventOf(details: EventDetails, { lock, ...given }: Given, sources: EventSources = {}): GuardEvent {
  const { kind, from, outcome, method, tool, reason, failure, about } = details;
  const { of = {}, verdicts } = sources;
  return {
    kind,
    from,
    outcome,
    decision: details.decision ?? (outcome === "refused" ? "block" : "pass"),
    findings: details.findings ?? [],
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(reason !== undefined && { reason }),
    ...(failure !== undefined && { failure }),
    ...(about?.request && { request: about.request }),
    ...(verdicts && { tools: new Map([...verdicts].map(([name, { decision }]) => [name, decision])) }),
    ...given,
    digests: new LazyDigests(of, lock),
    contents: new LazyContents(of),
  };
}

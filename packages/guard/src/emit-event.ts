import { hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import type { EventDigests, GuardEvent } from "./events.ts";
import type { Message } from "./step.ts";
import { digestOf, type Locked } from "./verify/baseline.ts";
import type { ItemVerdict } from "./verify/verdict.ts";

/** What the digests of an event are of. */
export interface Digested {
  readonly arguments?: JsonValue | undefined;
  readonly result?: Message | undefined;
  readonly tool?: Locked | undefined;
}

/** Digests that are computed when they are read: an event that nobody records costs none. */
export class LazyDigests implements EventDigests {
  readonly #of: Digested;
  readonly lock: string;

  constructor(of: Digested, lock: string) {
    this.#of = of;
    this.lock = lock;
  }

  get arguments(): string | undefined {
    return this.#of.arguments === undefined ? undefined : hashCanonical(this.#of.arguments, { profile: "ecmascript" });
  }

  get result(): string | undefined {
    const { result } = this.#of;
    if (result === undefined) return undefined;
    if (typeof result === "string" || result instanceof Uint8Array) return sha256Hex(result);
    return hashCanonical(result as JsonObject, { profile: "ecmascript" });
  }

  get tool(): string | undefined {
    return this.#of.tool && digestOf(this.#of.tool);
  }
}

/** What is told of an event beside what every event of a guard has. */
export type EventDetails = Omit<GuardEvent, "server" | "digests" | "time" | "decision" | "findings" | "tools"> &
  Partial<Pick<GuardEvent, "decision" | "findings">> & {
    readonly of?: Digested;
    /** Of the tools, where they were verified as a whole. */
    readonly verdicts?: ReadonlyMap<string, ItemVerdict> | undefined;
  };

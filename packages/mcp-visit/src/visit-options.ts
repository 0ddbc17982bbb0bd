import type { JsonObject } from "@agentprint/canonical-json";
import type { Era, View } from "@agentprint/mcp-lock";
import type { Limits } from "./limits.ts";

/** How a server is visited. */
export interface VisitOptions {
  /** Id of a client of {@link CLIENT_PROFILES}, or `bare`: this program under its own name, without capabilities. */
  readonly client: string;
  /** As whom the server is visited: as that client, as a nameless client without capabilities, or as both. */
  readonly views: readonly View[];
  /** Instead of the capabilities that the client declares. */
  readonly capabilities?: JsonObject;
  /** `auto` for both eras, one era, or one version. */
  readonly protocol: "auto" | Era | (string & {});
  /**
   * How long an era may stay silent before there is none, in milliseconds; twice the time that the other era took to
   * its first answer, and at least a second, when left out.
   */
  readonly probeTimeout?: number;
  /** How long the server is listened to after the last answer, in milliseconds. */
  readonly settle: number;
  /** Whether prompts without required arguments, and text resources, are read too. */
  readonly contents: boolean;
  readonly limits: Limits;
  /** Calls the visit off. */
  readonly signal?: AbortSignal;
  /** Gets a sentence for each thing that was passed over; untrusted text. */
  readonly warn?: (sentence: string) => void;
}

/** Settle time that the visit uses when it is told nothing else, in milliseconds. */
export const DEFAULT_SETTLE = 100;

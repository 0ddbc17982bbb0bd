import { isIPv6 } from "node:net";
import { AnswerRoom, type Hold } from "@agentprint/http-bounds";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Config } from "../config/config.ts";
import { RegistryError } from "../errors.ts";
import { ANSWER_BYTES, Budget, consume, type Settle, UNIT_BYTES } from "../load/budget.ts";
import { createPlaces } from "../load/places.ts";
import type { Env } from "./route.ts";

const MINUTE = 60;
/** The most requests that may be in progress at the same time. */
const MAX_REQUESTS = 512;
/** The most changes whose bodies and manifests may be in memory at the same time, in total and for one key. */
const MAX_CHANGES = 256;
const MAX_CHANGES_OF_KEY = 128;

/** The limits of one instance. Each method throws {@link RegistryError} `RATE_LIMITED` when a limit is exceeded. */
export interface Limits {
  /** Counts `cost` units for the address, and reserves the units of the longest answer until the actual length is known. */
  readonly countRequest: (context: Context<Env>, cost: number) => Promise<Settle>;
  /** Like {@link countRequest}, for an operator's request: other requests from the same address do not use up its limit. */
  readonly countOperation: (context: Context<Env>) => Promise<Settle>;
  /** Counts unreserved bytes for the request's key or address. */
  readonly chargeBytes: (context: Context<Env>, bytes: number) => void;
  /** Counts a request whose token is missing or wrong. */
  readonly countFailure: (context: Context<Env>) => Promise<void>;
  readonly countChange: (keyId: string) => Promise<void>;
  /**
   * Takes a slot for a request, a change or an event stream; returns a function that releases it.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when all slots are taken, `RATE_LIMITED` when the address or the key
   * has taken too many.
   */
  readonly takeRequest: () => () => void;
  /** Reserves memory for the longest answer before the answer is created. */
  readonly takeRoom: () => Hold;
  readonly takeChange: (keyId: string) => () => void;
  readonly takeStream: (context: Context<Env>) => () => void;
}

/** Creates the configured limits; their counters are in this process's memory. */
export function createLimits(config: Config): Limits {
  const limiter = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: MINUTE });
  const requests = new Budget(limiter(config.address_limit), "requests from this address");
  const operations = new Budget(limiter(config.address_limit), "requests of operators from this address");
  const room = new AnswerRoom();
  const failures = limiter(config.failure_limit);
  const changes = limiter(config.key_limit);
  const address = (context: Context<Env>): string => addressOf(context, config.trusted_proxies);
  const takeRequest = createPlaces({
    total: MAX_REQUESTS,
    own: MAX_REQUESTS,
    what: "requests are being answered",
    retrySeconds: 1,
  });
  const takeChange = createPlaces({
    total: MAX_CHANGES,
    own: MAX_CHANGES_OF_KEY,
    what: "changes are being stored",
    retrySeconds: 1,
  });
  const { stream_limit: total, address_stream_limit: own } = config;
  const takeStream = createPlaces({ total, own, what: "streams are open", retrySeconds: MINUTE });
  return {
    countRequest: (context, cost) => requests.reserve(address(context), cost),
    countOperation: (context) => operations.reserve(address(context), 1),
    chargeBytes: (context, bytes) => {
      const units = Math.floor(bytes / UNIT_BYTES);
      const keyId = context.get("keyId");
      if (keyId === undefined) requests.charge(address(context), units);
      // Counting cannot fail, because the counter is in memory.
      else if (units > 0) void changes.penalty(keyId, units);
    },
    countFailure: (context) => consume(failures, address(context), 1, "wrong tokens from this address"),
    countChange: (keyId) => consume(changes, keyId, 1, "changes with this key"),
    takeRequest: () => takeRequest(""),
    takeRoom: () => {
      const hold = room.take(ANSWER_BYTES);
      if (hold === undefined) throw roomTaken();
      return hold;
    },
    takeChange,
    takeStream: (context) => takeStream(address(context)),
  };
}

/** Returns the error for a request whose answer does not fit into memory, because other clients do not read theirs. */
export function roomTaken(): RegistryError {
  const message = "answers that wait for other clients take all the memory; nothing was stored";
  return new RegistryError("UNAVAILABLE", message, { headers: { "retry-after": "1" } });
}

/**
 * Returns the client's address. For an IPv6 address, only the network is returned, because a client has all addresses
 * of its network.
 */
function addressOf(context: Context<Env>, proxies: number): string {
  const address = (proxies > 0 ? forwardedAddress(context, proxies) : undefined) || remoteAddress(context);
  return address.includes(":") && isIPv6(address) && !address.includes(".") ? networkOf(address) : address;
}

/** Returns the address from which the first of our proxies received the request. */
function forwardedAddress(context: Context<Env>, proxies: number): string | undefined {
  const forwarded = (context.req.header("x-forwarded-for") ?? "").split(",").map((one) => one.trim());
  return forwarded.at(-proxies);
}

function remoteAddress(context: Context<Env>): string {
  // A request that did not come through a socket, as in tests, has no address.
  const bindings = context.env as { readonly incoming?: unknown } | undefined;
  return bindings?.incoming ? (getConnInfo(context).remote.address ?? "") : "";
}

/** Returns the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

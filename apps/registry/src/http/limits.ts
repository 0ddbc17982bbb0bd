import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config/config.ts";
import { RegistryError } from "../errors.ts";
import { createPlaces } from "../load/places.ts";
import type { Env } from "./route.ts";

const MINUTE = 60;
/** Bytes of a body or an answer that cost as much as a request. */
export const UNIT_BYTES: number = 32 * 1024;
/** Requests that are answered at the same time. */
const MAX_REQUESTS = 512;
/** Changes whose bodies and manifests are in memory at the same time, and those of one key. */
const MAX_CHANGES = 256;
const MAX_CHANGES_OF_KEY = 128;

/** The limits of one instance. Each method throws {@link RegistryError} `RATE_LIMITED` when there was too much. */
export interface Limits {
  /** Counts `cost` units of the address; the cost of an answer is counted when it is known. */
  readonly countRequest: (context: Context<Env>, cost: number) => Promise<void>;
  /** Counts what an answer cost beyond its request, of the key of the request or of the address. */
  readonly chargeBytes: (context: Context<Env>, bytes: number) => void;
  /** Counts a request whose token is missing or wrong. */
  readonly countFailure: (context: Context<Env>) => Promise<void>;
  readonly countChange: (keyId: string) => Promise<void>;
  /**
   * Takes a place for a request, a change or a stream of events; returns what gives it back.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when all places are taken, `RATE_LIMITED` when the address or the key has too many.
   */
  readonly takeRequest: () => () => void;
  readonly takeChange: (keyId: string) => () => void;
  readonly takeStream: (context: Context<Env>) => () => void;
}

/** The limits of a configuration, kept in the memory of this process. */
export function createLimits(config: Config): Limits {
  const limiter = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: MINUTE });
  const requests = limiter(config.address_limit);
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
    countRequest: (context, cost) => consume(requests, address(context), cost, "requests from this address"),
    chargeBytes: (context, bytes) => {
      const units = Math.floor(bytes / UNIT_BYTES);
      const keyId = context.get("keyId");
      // Kept in memory, so that nothing can fail.
      if (units > 0)
        void (keyId === undefined ? requests.penalty(address(context), units) : changes.penalty(keyId, units));
    },
    countFailure: (context) => consume(failures, address(context), 1, "wrong tokens from this address"),
    countChange: (keyId) => consume(changes, keyId, 1, "changes with this key"),
    takeRequest: () => takeRequest(""),
    takeChange,
    takeStream: (context) => takeStream(address(context)),
  };
}

async function consume(limiter: RateLimiterMemory, key: string, cost: number, what: string): Promise<void> {
  try {
    await limiter.consume(key, cost);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new RegistryError("RATE_LIMITED", `too many ${what}: at most ${limiter.points} a minute`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}

/** The address of the client. Of an IPv6 address only the network counts, because a client has all of its addresses. */
function addressOf(context: Context<Env>, proxies: number): string {
  const address = (proxies > 0 ? forwardedAddress(context, proxies) : undefined) || remoteAddress(context);
  return address.includes(":") && isIPv6(address) && !address.includes(".") ? networkOf(address) : address;
}

/** The address that the first of our proxies saw. */
function forwardedAddress(context: Context<Env>, proxies: number): string | undefined {
  const forwarded = (context.req.header("x-forwarded-for") ?? "").split(",").map((one) => one.trim());
  return forwarded.at(-proxies);
}

function remoteAddress(context: Context<Env>): string {
  // A request that came through no socket, as those of tests, has no address.
  const bindings = context.env as { readonly incoming?: unknown } | undefined;
  return bindings?.incoming ? (getConnInfo(context).remote.address ?? "") : "";
}

/** The first 64 bits of an IPv6 address. */
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

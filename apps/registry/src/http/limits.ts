import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Config } from "../config/config.ts";
import { RegistryError } from "../errors.ts";
import type { Env } from "./route.ts";

const MINUTE = 60;

/** The rate limits of one instance. Each method throws {@link RegistryError} `RATE_LIMITED` when there were too many. */
export interface Limits {
  readonly countRequest: (context: Context<Env>) => Promise<void>;
  /** Counts a request whose token is missing or wrong. */
  readonly countFailure: (context: Context<Env>) => Promise<void>;
  readonly countChange: (context: Context<Env>, keyId: string) => Promise<void>;
  /**
   * Takes a place for a stream of events; returns what gives it back.
   *
   * @throws {@link RegistryError} `UNAVAILABLE` when all places are taken, `RATE_LIMITED` when the address has too many.
   */
  readonly takeStream: (context: Context<Env>) => () => void;
}

/** The limits of a configuration, kept in the memory of this process. */
export function createLimits(config: Config): Limits {
  const limiter = (points: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: MINUTE });
  const requests = limiter(config.address_limit);
  const failures = limiter(config.failure_limit);
  const changes = limiter(config.key_limit);
  const address = (context: Context<Env>): string => addressOf(context, config.trusted_proxies);
  return {
    countRequest: (context) => consume(requests, address(context), "requests from this address"),
    countFailure: (context) => consume(failures, address(context), "wrong tokens from this address"),
    countChange: (_context, keyId) => consume(changes, keyId, "changes with this key"),
    takeStream: streamPlaces(config, address),
  };
}

function streamPlaces(config: Config, addressOf: (context: Context<Env>) => string): Limits["takeStream"] {
  const { stream_limit, address_stream_limit } = config;
  const byAddress = new Map<string, number>();
  let all = 0;
  return (context) => {
    const address = addressOf(context);
    const own = byAddress.get(address) ?? 0;
    if (all >= stream_limit) throw new RegistryError("UNAVAILABLE", "too many streams are open");
    if (own >= address_stream_limit) {
      const message = `too many streams are open from this address: at most ${address_stream_limit}`;
      throw new RegistryError("RATE_LIMITED", message, { headers: { "retry-after": String(MINUTE) } });
    }
    all++;
    byAddress.set(address, own + 1);
    return () => {
      all--;
      const left = (byAddress.get(address) ?? 0) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    };
  };
}

async function consume(limiter: RateLimiterMemory, key: string, what: string): Promise<void> {
  try {
    await limiter.consume(key);
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

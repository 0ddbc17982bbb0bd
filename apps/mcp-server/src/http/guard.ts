import type { IncomingMessage } from "node:http";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { LOCAL, type Principal } from "../access/principal.ts";
import type { Services } from "../services.ts";

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
const MINUTE = 60;

/** Why a request is refused before its body is read. */
interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides who sent a request. */
export type Guard = (
  request: IncomingMessage,
) => Promise<{ readonly principal: Principal } | { readonly refusal: Refusal }>;

/**
 * Creates an HTTP server's guard. `Host` and `Origin` must be names of the loopback interface or names from the
 * configuration, so that a page elsewhere cannot call the server. A request without a token is accepted only if the
 * server listens on the loopback interface and was reached by one of its names. Wrong tokens from an address never keep
 * out a valid one, because a token is looked up before wrong ones are counted.
 */
export function createGuard({ config, tokens }: Services): Guard {
  const hosts = [...localhostAllowedHostnames(), ...config.allowed_hosts];
  const origins = [...localhostAllowedOrigins(), ...config.allowed_origins];
  const failures = new RateLimiterMemory({ points: config.failure_limit, duration: MINUTE });
  return async ({ headers, socket }) => {
    const host = validateHostHeader(headers.host, hosts);
    if (!host.ok) return refuse(403, host.message);
    const origin = validateOriginHeader(headers.origin, origins);
    if (!origin.ok) return refuse(403, origin.message);
    const isLocal = isLoopback(config.host) && localhostAllowedHostnames().includes(host.hostname);
    if (headers.authorization === undefined && isLocal) return { principal: LOCAL };

    const [, token] = BEARER.exec(headers.authorization ?? "") ?? [];
    const principal = token === undefined ? undefined : await tokens.find(token);
    if (principal) return { principal };
    const failed = await failures.consume(socket.remoteAddress ?? "").catch((error: unknown) => error);
    if (failed instanceof RateLimiterRes && failed.consumedPoints > config.failure_limit) {
      const seconds = Math.max(1, Math.ceil(failed.msBeforeNext / 1000));
      return refuse(429, "too many wrong tokens from this address", { "retry-after": String(seconds) });
    }
    const challenge = `Bearer realm="agentprint-mcp-server"${token === undefined ? "" : ', error="invalid_token"'}`;
    return refuse(401, "expected Authorization: Bearer with a token of this server", { "www-authenticate": challenge });
  };
}

/** Returns whether only processes on this machine can reach an address. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function refuse(status: Refusal["status"], message: string, headers = {}): { readonly refusal: Refusal } {
  return { refusal: { status, message, headers } };
}

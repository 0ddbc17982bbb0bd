import type { Era } from "@agentprint/mcp";
import type { Channel } from "../channel/channel.ts";
import { VisitError } from "../errors.ts";
import { HttpChannel } from "../http/http-channel.ts";
import { SseChannel } from "../http/sse-channel.ts";
import { NoEra } from "../no-era.ts";
import { StdioChannel } from "../process/stdio-channel.ts";
import type { VisitTarget } from "../target.ts";
import type { ClientProfile } from "./client-profiles.ts";

/** Returns a channel to a target. It is not opened yet. */
export function createChannel(target: VisitTarget, era: Era, { userAgent }: ClientProfile, maxBytes: number): Channel {
  if (target.type === "stdio") return new StdioChannel(target, maxBytes);
  return new HttpChannel(era, target, userAgent, maxBytes);
}

/**
 * Returns a channel over the older HTTP+SSE transport if streamable HTTP was refused in the way that servers with that
 * transport refuse it (MCP 2026-07-28, "HTTP+SSE Transport"); `undefined` after any other failure.
 */
export function createSseChannel(
  target: VisitTarget,
  { userAgent }: ClientProfile,
  maxBytes: number,
  error: unknown,
): Channel | undefined {
  if (target.type === "stdio" || !(error instanceof NoEra)) return undefined;
  const { httpStatus, rpcCode } = error.reason.details;
  const refused = httpStatus === 400 || httpStatus === 404 || httpStatus === 405;
  return refused && rpcCode === undefined ? new SseChannel(target, userAgent, maxBytes) : undefined;
}

/** Returns an error together with the end of the server's stderr output. */
export function withStderr(error: unknown, channel: Channel): unknown {
  const serverOutput = channel.stderrTail();
  if (serverOutput === "") return error;
  if (error instanceof NoEra) return new NoEra(error.reason.with({ serverOutput }));
  return error instanceof VisitError ? error.with({ serverOutput }) : error;
}

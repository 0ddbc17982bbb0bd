import type { Writable } from "node:stream";
import type { Context } from "hono";
import type { Env } from "./route.ts";

/**
 * Returns the stream that an answer is written to; `undefined` for a request that did not come through a socket, as in
 * tests.
 */
export function outgoingOf({ env }: Context<Env>): Writable | undefined {
  return (env as { readonly outgoing?: Writable } | undefined)?.outgoing;
}

import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { RegistryError } from "../errors.ts";
import type { Env } from "./route.ts";

/**
 * Refuses another spelling of a path, such as `/agents/../metrics` or `/%6detrics`, which a proxy that blocks the path
 * may let through. A request that did not come through a socket, as in tests, has no spelling.
 *
 * @throws {@link RegistryError} `ROUTE_NOT_FOUND`.
 */
export function checkSpelling({ env }: Context<Env>, path: string): void {
  const url = (env as { readonly incoming?: IncomingMessage } | undefined)?.incoming?.url ?? path;
  if (url.split("?")[0] === path) return;
  throw new RegistryError("ROUTE_NOT_FOUND", `there is nothing at this path: expected exactly ${path}`);
}

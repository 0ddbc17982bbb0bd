import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { isSuccess, serverAt } from "./ask-server.ts";
import { type Route, refuse } from "./endpoint.ts";
import { readBytes } from "./read-bytes.ts";
import { readJson } from "./read-json.ts";

const WELL_KNOWN =
  /^\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:\/([^/]+))?$/;
/** In bytes. */
const MAX_METADATA = 1024 * 1024;
/** In milliseconds. */
const METADATA_WITHIN = 10_000;

/** Returns the address of a server's authorization metadata behind the guard at `host:port`. */
export function metadataUrl(host: string, server: string): string {
  return `http://${host}/.well-known/oauth-protected-resource/${encodeURIComponent(server)}`;
}

/**
 * Answers with the authorization metadata of a server that gets its clients' authorization. The resource in the
 * metadata becomes the address behind the guard, because a client compares the two.
 */
export async function proxyMetadata(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReadonlyMap<string, Route>,
): Promise<void> {
  const [, kind, encoded] = WELL_KNOWN.exec(path) ?? [];
  const remote = [...routes].filter(
    ([, { url, passesAuthorization }]) => url !== undefined && passesAuthorization === true,
  );
  // Without a name, the metadata can only belong to the one server with an address.
  const [name, route] =
    (encoded === undefined ? remote : remote.filter(([each]) => encodeURIComponent(each) === encoded))[0] ?? [];
  if (kind === undefined || route?.url === undefined || (encoded === undefined && remote.length > 1)) {
    refuse(response, 404);
    return;
  }
  const { origin, pathname } = new URL(route.url);
  const places = [`${origin}/.well-known/${kind}${pathname === "/" ? "" : pathname}`, `${origin}/.well-known/${kind}`];
  for (const place of places) {
    const metadata = await fetchMetadata(place);
    if (metadata === undefined) continue;
    const shown = route.endpoint.guard.shown(metadata);
    if (!isJsonObject(shown)) continue;
    const own = `http://${request.headers.host}/${encodeURIComponent(name ?? "")}`;
    const served = kind === "oauth-protected-resource" ? { ...shown, resource: own } : shown;
    refuse(response, 200, JSON.stringify(served));
    return;
  }
  refuse(response, 404);
}

async function fetchMetadata(url: string): Promise<JsonObject | undefined> {
  const open = new Set<AbortController>();
  const late = setTimeout(() => {
    for (const asked of open) asked.abort();
  }, METADATA_WITHIN);
  try {
    const { status, body } = await serverAt(url)({ method: "GET", headers: { accept: "application/json" } }, open);
    const value = readJson(await readBytes(body, MAX_METADATA));
    return isSuccess(status) && isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
    for (const asked of open) asked.abort();
  }
}

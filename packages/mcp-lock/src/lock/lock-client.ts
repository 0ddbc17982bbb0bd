import { isJsonObject, isSameJson, type JsonObject } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import { DEFAULT_LIMITS, LISTS, type ListKind, type ListName, type SessionAnswers } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { createLock } from "./create-lock.ts";
import type { LockFile } from "./lock.ts";

/**
 * The members of a connected client that are used here, as in `@modelcontextprotocol/sdk` 1.x and
 * `@modelcontextprotocol/client` 2.x.
 */
export interface LockableClient {
  request(request: never, resultSchema: never): Promise<unknown>;
  getServerVersion(): unknown;
  getServerCapabilities(): unknown;
  getInstructions(): unknown;
  getNegotiatedProtocolVersion?(): string | undefined;
}

/** Options of {@link lockClient}. */
export interface LockClientOptions {
  /** Your name for the server. Default: the name that the server gives itself. */
  readonly server?: string | undefined;
  /** How the client reaches the server. Default: the command `in-process`, which cannot be started. */
  readonly launch?: Launch | undefined;
}

/**
 * A schema that accepts any result, for both major versions of the SDK: the SDK's own schemas drop members that they do
 * not know.
 */
const ANY = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "agentprint", validate: (value: unknown) => ({ value }) },
};

/**
 * The version that a client of SDK 1.x negotiates with a current server; the client does not reveal which version it
 * negotiated.
 */
const PROTOCOL_VERSION = "2025-11-25";

/**
 * Returns a lock of the server that a client is connected to: its greeting, and all pages of its raw lists. A check by
 * the `agentprint` command covers more: several clients, both eras of MCP, and the files that the launch runs.
 *
 * @throws {@link McpLockError} `invalid-definition` if an answer is not a list, or if its pages never end; and as
 * `lockServer`. The client's rejections are passed on.
 *
 * @example
 * ```ts
 * import { lockClient } from "@agentprint/mcp-lock";
 *
 * const lock = await lockClient(client, { server: "files" });
 * console.log(lock.servers[0]?.tools.map(({ definition }) => definition["name"])); // [ 'move_file' ]
 * ```
 */
export async function lockClient(client: LockableClient, options: LockClientOptions = {}): Promise<LockFile> {
  checkArgument("client", client, {
    request: "function",
    getServerVersion: "function",
    getServerCapabilities: "function",
    getInstructions: "function",
  });
  checkArgument("options", options, "object");
  const { server, launch = { type: "stdio", command: "in-process", args: [], env: [] } } = options;
  checkArgument("options.server", server, "string?");
  const serverInfo = objectOf("getServerVersion", client.getServerVersion());
  const capabilities = objectOf("getServerCapabilities", client.getServerCapabilities());
  const instructions = client.getInstructions();
  const protocolVersion = client.getNegotiatedProtocolVersion?.() ?? PROTOCOL_VERSION;
  const lists: Partial<Record<ListName, JsonObject[][]>> = {};
  for (const list of LISTS)
    if (Object.hasOwn(capabilities, list.capability)) lists[list.list] = [await pagesOf(client, list)];
  const greeting = {
    protocolVersion,
    serverInfo,
    capabilities,
    ...(typeof instructions === "string" && { instructions }),
  };
  const session: SessionAnswers = {
    era: "legacy",
    view: "bare",
    protocolVersion,
    greetings: [greeting],
    lists,
    contents: [],
  };
  const name = server ?? (typeof serverInfo["name"] === "string" ? serverInfo["name"] : "server");
  return createLock({ [name]: { launch, client: "bare", clientCapabilities: {}, sessions: [session] } });
}

function objectOf(method: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new McpLockError("invalid-argument", "", `client.${method}(): expected an object: connect the client first`);
}

async function pagesOf(client: LockableClient, { list, method }: ListKind): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  const cursors = new Set<unknown>();
  for (let cursor: unknown; ; cursors.add(cursor)) {
    const request = { method, ...(cursor !== undefined && { params: { cursor } }) };
    const page = await client.request(request as never, ANY as never);
    const next = isJsonObject(page) ? page["nextCursor"] : undefined;
    if (!isJsonObject(page) || (next !== undefined && next !== null && typeof next !== "string"))
      throw new McpLockError(
        "invalid-definition",
        `/${list}`,
        `Expected an object with a list of ${list} as the answer`,
      );
    // A server that treats an empty cursor as no cursor starts the list again.
    if (cursor === "" && isSameJson(page[list], pages[0]?.[list])) return pages;
    pages.push(page);
    if (next === undefined || next === null || (next === "" && cursor === "")) return pages;
    if (cursors.has(next) || pages.length === DEFAULT_LIMITS.maxPages)
      throw new McpLockError("invalid-definition", `/${list}`, `The pages of ${method} never end`);
    cursor = next;
  }
}

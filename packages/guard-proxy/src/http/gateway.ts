import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { boundConnections } from "@agentprint/http-bounds";
import { isRequest, META, MODERN_VERSIONS, RPC_ERROR } from "@agentprint/mcp";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import { decodePercent } from "@agentprint/mcp-visit/secrets";
import { AFTER_SIGNAL, GRACE } from "../limits.ts";
import { bytesOf, errorText, param, requestsIn } from "../rpc.ts";
import { headerMismatch, notificationMismatch } from "./check-headers.ts";
import { withoutMirrored } from "./client-headers.ts";
import { type Route, refuse } from "./endpoint.ts";
import { type ExchangeHold, exchangeRoom, NO_ROOM, NoRoomError } from "./exchange-room.ts";
import { proxyMetadata } from "./oauth-metadata.ts";
import { readBytes } from "./read-bytes.ts";
import { readJson } from "./read-json.ts";

/** The address of a gateway, and what it accepts. */
export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  /** The bearer token that clients must present. */
  readonly token?: string | undefined;
  /** In bytes. */
  readonly maxBody: number;
}

/** The names by which this machine addresses itself. */
export const LOOPBACK: readonly string[] = Object.freeze(["127.0.0.1", "localhost", "[::1]"]);
/** The protocols in the origins of web pages; browser extensions have other protocols. */
const WEB: readonly string[] = ["http:", "https:"];
/** The wildcard addresses: a gateway at one of them does not know which name a client uses. */
const ANY = ["0.0.0.0", "[::]"];

/** MCP 2026-07-28 (authorization, "Access Token Usage"): servers accept and transit only their own tokens. */
const FOREIGN_TOKEN =
  "The guard takes no Authorization for another server: use the guard's login (agentprint guard --login), or start the guard with --pass-through and the server's name";

/** The HTTP server in front of guarded servers, each at the path of its name. */
export class Gateway {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #options: GatewayOptions;
  readonly #server: Server;
  readonly #takeRoom = exchangeRoom();

  constructor(routes: ReadonlyMap<string, Route>, options: GatewayOptions) {
    this.#routes = routes;
    this.#options = options;
    this.#server = createServer((request, response) => {
      const hold = this.#takeRoom(response);
      if (hold === undefined) refuseForRoom(response);
      else void this.#answer(request, response, hold).catch(() => refuse(response, 500));
    });
    boundConnections(this.#server);
  }

  /** Begins to listen; returns the port. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await Promise.all([closed, ...[...this.#routes.values()].map(({ endpoint }) => endpoint.close(AFTER_SIGNAL))]);
  }

  async #answer(request: IncomingMessage, response: ServerResponse, hold: ExchangeHold): Promise<void> {
    if (!this.#isOwnHost(request.headers.host) || !this.#isOwnOrigin(request.headers.origin)) {
      refuse(
        response,
        403,
        errorText(undefined, RPC_ERROR.invalidRequest, "Host or Origin does not belong to this guard"),
      );
      return;
    }
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    if (path.startsWith("/.well-known/")) return proxyMetadata(path, request, response, this.#routes);
    if (!this.#hasToken(request)) {
      response.setHeader("www-authenticate", "Bearer");
      refuse(response, 401);
      return;
    }
    const route = this.#routes.get(decodePercent(path.slice(1)));
    if (route === undefined) {
      refuse(response, 404);
      return;
    }
    if (request.headers.authorization !== undefined && route.url !== undefined && route.passesAuthorization !== true) {
      refuse(response, 403, errorText(undefined, RPC_ERROR.invalidRequest, FOREIGN_TOKEN));
      return;
    }
    const { method } = request;
    if (method === "POST") return this.#post(request, response, route, hold);
    const isModern = MODERN_VERSIONS.includes(String(request.headers["mcp-protocol-version"]));
    if ((method !== "GET" && method !== "DELETE") || isModern) {
      response.setHeader("allow", isModern ? "POST" : "POST, GET, DELETE");
      refuse(response, 405);
      return;
    }
    return route.endpoint.session(method, withoutMirrored(request.headers), response);
  }

  async #post(request: IncomingMessage, response: ServerResponse, route: Route, hold: ExchangeHold): Promise<void> {
    const { headers } = request;
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      refuse(response, 415, errorText(undefined, RPC_ERROR.invalidRequest, "Content-Type has to be application/json"));
      return;
    }
    const body = await readBody(request, this.#options.maxBody, hold);
    if (!(body instanceof Uint8Array)) {
      if (body === "no-room") refuseForRoom(response);
      else refuse(response, 413, errorText(undefined, RPC_ERROR.invalidRequest, "The message is too long"));
      // A client that is still writing would miss the answer if the connection ended now.
      request.resume();
      setTimeout(() => request.destroy(), GRACE).unref();
      return;
    }
    await route.look();
    const { endpoint, entry } = route;
    const value = readJson(body);
    if (value === undefined) {
      // The guard gives the reason for its refusal and records the refusal.
      const [answer] = endpoint.guard.fromClient(body).toClient;
      const text = answer && Buffer.from(bytesOf(answer.message)).toString();
      refuse(response, 400, text ?? errorText(undefined, RPC_ERROR.parse, "The message is not strict JSON"));
      return;
    }
    const requests = requestsIn(value).length;
    const post = { body, value, headers, response, requests };
    const version = param(value, "_meta", META.protocolVersion);
    const isModern = version !== undefined || MODERN_VERSIONS.includes(String(headers["mcp-protocol-version"]));
    // Only messages of the new era have headers that repeat the body, so only these are compared.
    if (!isModern) return endpoint.postLegacy({ ...post, headers: withoutMirrored(headers) });
    if (!isJsonObject(value) || !isRequest(value)) {
      const mismatch = isJsonObject(value) ? notificationMismatch(headers, value) : undefined;
      if (mismatch === undefined) return endpoint.postModern({ ...post, headers: withoutMirrored(headers) });
      refuse(response, 400, errorText(undefined, RPC_ERROR.headerMismatch, `Header mismatch: ${mismatch}`));
      return;
    }
    const refusal = modernRefusal(headers, value, entry);
    if (refusal !== undefined) {
      refuse(response, 400, refusal);
      return;
    }
    return endpoint.postModern(post);
  }

  #isOwnHost(host: string | undefined): boolean {
    const name = host?.replace(/:\d+$/, "").toLowerCase() ?? "";
    // A guard at every address requires a token, which a foreign page does not know.
    return ANY.includes(this.#options.host) || this.#names().includes(name);
  }

  #isOwnOrigin(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const { protocol, hostname } = new URL(origin);
    return WEB.includes(protocol) && this.#names().includes(hostname.toLowerCase());
  }

  #names(): readonly string[] {
    const host = this.#options.host.toLowerCase();
    return LOOPBACK.includes(host) ? LOOPBACK : [host];
  }

  #hasToken({ headers }: IncomingMessage): boolean {
    const { token } = this.#options;
    if (token === undefined) return true;
    const [, given = ""] = /^Bearer (.*)$/i.exec(headers.authorization ?? "") ?? [];
    // The token is for the guard and is never forwarded to a server.
    delete headers.authorization;
    return timingSafeEqual(digestOf(given), digestOf(token));
  }
}

function modernRefusal(
  headers: IncomingMessage["headers"],
  value: JsonObject,
  entry: LockedServer,
): string | undefined {
  if (param(value, "_meta", META.protocolVersion) === undefined) {
    return errorText(value["id"], RPC_ERROR.invalidParams, `params._meta has no ${META.protocolVersion}`);
  }
  if (!isJsonObject(param(value, "_meta", META.clientCapabilities))) {
    return errorText(value["id"], RPC_ERROR.invalidParams, `params._meta has no ${META.clientCapabilities}`);
  }
  const mismatch = headerMismatch(headers, value, entry.tools);
  return mismatch === undefined
    ? undefined
    : errorText(value["id"], RPC_ERROR.headerMismatch, `Header mismatch: ${mismatch}`);
}

/** Returns the body of a request, or the reason why it is not read. The request can still be answered. */
async function readBody(
  request: IncomingMessage,
  maxBody: number,
  hold: ExchangeHold,
): Promise<Buffer | "no-room" | "too-long"> {
  try {
    return await readBytes(request, maxBody, (bytes) => hold.fitsRequest(bytes));
  } catch (error) {
    if (error instanceof NoRoomError) return "no-room";
    if (error instanceof RangeError) return "too-long";
    throw error;
  }
}

function refuseForRoom(response: ServerResponse): void {
  response.setHeader("retry-after", "1");
  refuse(response, 503, errorText(undefined, RPC_ERROR.internal, NO_ROOM));
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

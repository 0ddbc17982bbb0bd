import { type HttpServer, startHttp } from "../../src/http/serve-http.ts";
import { INITIALIZE, type Json, messageOf, openTestServices, type Revision, type TestServices } from "./server.ts";

/** A server that answers over HTTP in this process. */
export interface TestHttp extends HttpServer {
  readonly services: TestServices;
}

/** Starts a server on a free port of the loopback interface. */
export async function startTestHttp(settings: Readonly<Record<string, string>> = {}): Promise<TestHttp> {
  const services = await openTestServices({ token_minute_limit: "1000000", ...settings });
  const server = await startHttp(services);
  const close = async (): Promise<void> => {
    await server.close();
    await services.remove();
  };
  return { ...server, services, close };
}

export const ACCEPTS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** The headers that a request has because of its era, in addition to those of every request. */
function headersOf(revision: Revision, method: string, params: Json): Record<string, string> {
  const name = params.name ?? params.uri;
  if (revision === "2025-11-25") return { "mcp-protocol-version": revision };
  return { "mcp-protocol-version": revision, "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) };
}

/** Returns a POST request as HTTP/1.1 text. */
export function written(headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...ACCEPTS, host: "127.0.0.1", ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** Returns the text of a request in the era without a handshake. */
export function writtenCall(method: string, params: Json): string {
  return written(headersOf("2026-07-28", method, params), JSON.stringify(messageOf("2026-07-28", 1, method, params)));
}

/** Posts a body and reads the answer's JSON or the last message of its stream. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<{ status: number; headers: Headers; body: Json }> {
  const response = await fetch(url, { method: "POST", headers: { ...ACCEPTS, ...headers }, body, signal });
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const json = isStream
    ? text
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6)
    : text;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(json) : undefined };
}

/** A client over HTTP. */
export interface HttpClient {
  readonly request: (method: string, params?: object) => Promise<Json>;
  /** Calls a tool and returns its result. */
  readonly call: (name: string, args: object) => Promise<Json>;
  /** The headers of each of the client's requests. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Connects a client of one era, with or without a token. */
export async function connectHttp(url: string, revision: Revision, token?: string): Promise<HttpClient> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const opened = revision === "2025-11-25" ? await post(url, JSON.stringify(INITIALIZE), authorization) : undefined;
  const session = opened?.headers.get("mcp-session-id");
  const headers = { ...authorization, ...(session ? { "mcp-session-id": session } : {}) };
  let ids = 0;
  const request: HttpClient["request"] = async (method, params = {}) => {
    const message = JSON.stringify(messageOf(revision, ++ids, method, params));
    return (await post(url, message, { ...headers, ...headersOf(revision, method, params) })).body;
  };
  const call: HttpClient["call"] = async (name, args) =>
    (await request("tools/call", { name, arguments: args })).result;
  return { request, call, headers };
}

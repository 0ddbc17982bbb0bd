import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { META } from "@agentprint/mcp";
import { decodeHeaderValue, type HeaderAnnotation, nameMember, readParamHeaders } from "@agentprint/mcp/headers";
import { param } from "../rpc.ts";

/** The headers of a request by lowercase name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The members that `Mcp-Name` may repeat if the method prescribes none. */
const NAMES = ["name", "uri"];

/** A tool as defined in the lock. */
interface Tool {
  readonly definition: JsonObject;
}

/**
 * Returns a message about the first header of a modern request that contradicts the body; `undefined` if all agree. An
 * `Mcp-Param-*` header that belongs to no tool of the server is ignored.
 *
 * @param tools The tools of the server in the lock
 */
export function headerMismatch(headers: Headers, message: JsonObject, tools: readonly Tool[]): string | undefined {
  const { method } = message;
  if (typeof method !== "string") return "Mcp-Method has no value in the body";
  const version = param(message, "_meta", META.protocolVersion);
  return (
    differs("MCP-Protocol-Version", headers, version, false) ??
    differs("Mcp-Method", headers, method, false) ??
    nameMismatch(headers, method, message) ??
    paramMismatch(headers, message, tools)
  );
}

/**
 * Returns a message about the first header of a modern notification that names a different version or method from the
 * body; `undefined` if none does. A notification needs neither header.
 */
export function notificationMismatch(headers: Headers, message: JsonObject): string | undefined {
  const { method } = message;
  const version = param(message, "_meta", META.protocolVersion);
  const differsWhereThere = (name: string, value: JsonValue | undefined) =>
    headers[name.toLowerCase()] === undefined || value === undefined ? undefined : differs(name, headers, value, false);
  return differsWhereThere("MCP-Protocol-Version", version) ?? differsWhereThere("Mcp-Method", method);
}

function nameMismatch(headers: Headers, method: string, message: JsonObject): string | undefined {
  const member = nameMember(method);
  const isTask = member === "taskId"; // the extension for tasks does not require the header
  if (member !== undefined && !isTask) return differs("Mcp-Name", headers, param(message, member), true);
  if (headers["mcp-name"] === undefined) return undefined;
  const members = isTask ? [member] : NAMES;
  const value = members.map((member) => param(message, member)).find((each) => typeof each === "string");
  return value === undefined ? "Mcp-Name has no value in the body" : differs("Mcp-Name", headers, value, true);
}

/** Each tool's parameters that headers repeat. They are cached because the definitions in a lock never change. */
const PARAM_HEADERS = new WeakMap<JsonObject, readonly HeaderAnnotation[]>();

function paramHeaders(tool: JsonObject): readonly HeaderAnnotation[] {
  const known = PARAM_HEADERS.get(tool);
  if (known) return known;
  const annotated = readParamHeaders(tool);
  const read = "headers" in annotated ? annotated.headers : [];
  PARAM_HEADERS.set(tool, read);
  return read;
}

function paramMismatch(headers: Headers, message: JsonObject, tools: readonly Tool[]): string | undefined {
  const called = message["method"] === "tools/call" ? param(message, "name") : undefined;
  const tool = called === undefined ? undefined : tools.find(({ definition }) => definition["name"] === called);
  const own = tool === undefined ? [] : paramHeaders(tool.definition);
  for (const { name, path } of own) {
    const found = valueMismatch(`Mcp-Param-${name}`, headers, param(message, "arguments", ...path));
    if (found !== undefined) return found;
  }
  // The parameters of a tool outside the lock are unknown.
  if (called !== undefined && tool === undefined) return undefined;
  return strayParam(headers, own, tools);
}

/** Returns a message about a header for a parameter of another tool; `undefined` if there is no such header. */
function strayParam(headers: Headers, own: readonly HeaderAnnotation[], tools: readonly Tool[]): string | undefined {
  const given = Object.keys(headers).filter((name) => name.startsWith("mcp-param-"));
  if (given.length === 0) return undefined;
  const nameOf = ({ name }: HeaderAnnotation) => `mcp-param-${name.toLowerCase()}`;
  const named = new Set(own.map(nameOf));
  const known = new Set(tools.flatMap(({ definition }) => paramHeaders(definition).map(nameOf)));
  const stray = given.find((name) => known.has(name) && !named.has(name));
  return stray === undefined ? undefined : `${stray} has no value in the body`;
}

function valueMismatch(header: string, headers: Headers, value: JsonValue | undefined): string | undefined {
  const isThere = typeof value === "string" || typeof value === "boolean" || typeof value === "number";
  if (isThere) return differs(header, headers, value, true);
  return headers[header.toLowerCase()] === undefined ? undefined : `${header} has no value in the body`;
}

function differs(name: string, headers: Headers, value: JsonValue | undefined, isEncoded: boolean): string | undefined {
  const written = headers[name.toLowerCase()];
  if (written === undefined) return `${name} is missing`;
  if (typeof written !== "string") return `${name} occurs several times`;
  const text = isEncoded ? decodeHeaderValue(written) : written;
  if (text === undefined) return `${name} has characters that no header can have`;
  return isSaid(text, value) ? undefined : `${name} does not match the body`;
}

/** Returns whether a header value equals a value in the body. */
function isSaid(text: string, value: JsonValue | undefined): boolean {
  if (typeof value === "number") return text.trim() !== "" && Number(text) === value;
  return typeof value === "boolean" ? text === `${value}` : text === value;
}

import { writeFileSync } from "node:fs";
import { costOfUnread } from "@agentprint/testing/unread-clients";
import { expect, test } from "vitest";
import { callOf } from "../guard/guarded.ts";
import { driftedFiles, listening, MODERN } from "../guard/support.ts";

const MAX_MB = 256;
const MAX_HEALTH_SECONDS = 1;
const NAME = "read_text_file";
const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

const post = (headers: Readonly<Record<string, string>>, message: object | string): string => {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
    "content-length": Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /files HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
};

const modern = (method: string, message: object, name?: string): string =>
  post(
    {
      "mcp-protocol-version": MODERN["io.modelcontextprotocol/protocolVersion"],
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
    message,
  );

test.each([
  [
    "tools/call, whose answer has 2 MB",
    (file: string) => modern("tools/call", callOf(1, NAME, { path: file }, MODERN), NAME),
  ],
  [
    "tools/list",
    () => modern("tools/list", { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: MODERN } }),
  ],
  ["initialize", () => post({}, { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })],
  ["tools/list in no session", () => post({}, { jsonrpc: "2.0", id: 1, method: "tools/list" })],
  ["no JSON", () => post({}, "{")],
  ["GET", () => "GET /files HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n"],
  ["DELETE", () => "DELETE /files HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
  ["metadata", () => "GET /.well-known/oauth-protected-resource/files HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
  ["nothing", () => "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
])(
  "1,000 requests that nobody reads from each of 50 addresses cost the guard over HTTP little: %s",
  async (_what, write) => {
    using space = await driftedFiles();
    const file = space.path("files/large.txt");
    writeFileSync(file, "a sentence. ".repeat(90_000));
    await using guard = await listening(space, ["files"]);
    const text = write(file);
    const health = { path: "/nothing", status: 404 };
    const { mb, healthSeconds } = await costOfUnread({ url: guard.url.origin, pid: guard.pid, health }, () => text);
    expect(mb).toBeLessThanOrEqual(MAX_MB);
    expect(healthSeconds).toBeLessThanOrEqual(MAX_HEALTH_SECONDS);
  },
);

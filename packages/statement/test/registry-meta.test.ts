import { expect, test } from "vitest";
import { isAddress } from "../src/places.ts";
import { readReference, type StatementReference, withReference } from "../src/registry-meta.ts";

const PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided";
const OWN = "/_meta/io.modelcontextprotocol.registry~1publisher-provided/agentprint";
const reference: StatementReference = {
  address: "https://example.com/agentprint.statement.json",
  sha256: "0".repeat(64),
  tdh1: ["1".repeat(64)],
};
const server = { name: "me/notes", version: "1.2.0", _meta: { [PUBLISHER]: { tool: "x", agentprint: { more: 1 } } } };

test("a server.json names a statement, and keeps all else", () => {
  const named = withReference(server, reference);
  expect(named).toEqual({
    ...server,
    _meta: { [PUBLISHER]: { tool: "x", agentprint: { more: 1, statement: reference } } },
  });
  expect(readReference(named)).toEqual(reference);
  expect(readReference(withReference({ name: "me/notes" }, reference))).toEqual(reference);
  const again = { ...reference, sha256: "2".repeat(64) };
  expect(readReference(withReference(named, again))).toEqual(again);
});

test("a publisher has at most 4,096 bytes", () => {
  const sizeOf = (words: string) => JSON.stringify({ words, agentprint: { statement: reference } }).length;
  const full = (bytes: number) => ({ _meta: { [PUBLISHER]: { words: "x".repeat(bytes - sizeOf("")) } } });
  expect(readReference(withReference(full(4096), reference))).toEqual(reference);
  const error = expect.objectContaining({ code: "invalid-reference", path: OWN.replace("/agentprint", "") });
  expect(() => withReference(full(4097), reference)).toThrow(error);
  const escaped = { _meta: { [PUBLISHER]: { words: "<>&\u2028".repeat(200) } } };
  expect(() => withReference(escaped, reference)).toThrow(error);
});

test.each<[string, unknown, string]>([
  ["no object", [], ""],
  ["no _meta", {}, "/_meta"],
  ["a _meta that is a text", { _meta: "x" }, "/_meta"],
  ["nothing of ours", { _meta: { [PUBLISHER]: {} } }, OWN],
  ["no statement", { _meta: { [PUBLISHER]: { agentprint: {} } } }, `${OWN}/statement`],
  ["an address without https", withIn({ address: "http://example.com/s" }), `${OWN}/statement/address`],
  ["no address", withIn({ address: "s.json" }), `${OWN}/statement/address`],
  ["a digest in capitals", withIn({ sha256: "A".repeat(64) }), `${OWN}/statement/sha256`],
  ["no set hash", withIn({ tdh1: [] }), `${OWN}/statement/tdh1`],
])("a server.json with %s names none", (_, value, path) => {
  const error = expect.objectContaining({ code: "invalid-reference", path });
  expect(() => readReference(value as never)).toThrow(error);
});

test.each<[string, object, Partial<StatementReference>]>([
  ["a _meta that is no object", { _meta: [] }, {}],
  ["an address without https", server, { address: "ftp://example.com/s" }],
])("nothing is written over %s", (_, value, part) => {
  expect(() => withReference(value as never, { ...reference, ...part })).toThrow(
    expect.objectContaining({ code: "invalid-reference" }),
  );
});

test("an address is one with https, or of this machine", () => {
  expect(["https://a.example", "http://localhost:1/s", "http://[::1]/", "http://127.0.0.1"].every(isAddress)).toBe(
    true,
  );
  expect(["http://a.example", "file:///s", "s", "http://127.0.0.1.a.example"].some(isAddress)).toBe(false);
});

function withIn(part: object): object {
  return { _meta: { [PUBLISHER]: { agentprint: { statement: { ...reference, ...part } } } } };
}

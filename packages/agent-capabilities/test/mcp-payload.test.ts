import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromMcpTool, mcpToolCanonicalPayload } from "../src/adapters/mcp.ts";
import { hashPlainObject } from "../src/index.ts";

const anyTool = fc.record({
  name: fc.string({ unit: "grapheme", minLength: 1 }),
  inputSchema: fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 3 })),
  annotations: fc.jsonValue(),
});

const hashOf = (wire: Readonly<Record<string, unknown>>): string => hashPlainObject(mcpToolCanonicalPayload(wire));

describe("the hash of the payload of an MCP tool", () => {
  test("is the static hash of the tool, described or not", () => {
    fc.assert(
      fc.property(anyTool, fc.string({ unit: "grapheme" }), (tool, description) => {
        expect(hashOf(tool)).toBe(fromMcpTool(tool).staticHash);
        expect(hashOf({ ...tool, description })).toBe(fromMcpTool({ ...tool, description }).staticHash);
      }),
    );
  });

  test("exists for a tool without a schema, and ignores members that are not capabilities", () => {
    // SHA-256 of `{"description":null,"instructions":[],"kind":"tool","name":"a","policies":[]}`, from sha256sum.
    expect(hashOf({ name: "a" })).toBe("c0eab630d3d404e3fc7ff065a15a9ae681cdb6d6a1ada3f31dfe5d95ff0174ac");
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (tool, annotations) => {
        expect(hashOf({ ...tool, annotations })).toBe(hashOf(tool));
      }),
    );
  });
});

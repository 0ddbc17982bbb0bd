import { FAULTY_TOOLS } from "@agentprint/testing/lock/faulty-tools";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { countLines, guardOf, listTools, readFile, request, shown } from "./support/world.ts";

const RULE = "mcp/schema-not-allowed";
const WORLD = { tools: [readFile, countLines] };
const call = request(1, "tools/call", { name: "count_lines", arguments: { path: "a" } });

describe.each(FAULTY_TOOLS)("a tool with a schema that MCP does not allow: %s", (_, members) => {
  const { inputSchema: _input, ...bare } = readFile;
  const bad = { ...bare, ...members };

  test.each(["strict", "compatible", "breaking"] as const)("%s refuses the list, and every call", (preset) => {
    for (const tools of [
      [bad, countLines],
      [readFile, countLines, { ...bad, name: "read_all" }],
    ]) {
      const { guard, events } = guardOf(WORLD, { preset });
      const step = listTools(guard, tools);
      expect(step.toClient[0]?.message).toContain("MCP does not allow a schema of a tool");
      expect(step.toClient[0]?.message).not.toContain("count_lines");
      expect(events.at(-1)).toMatchObject({ kind: "listing", outcome: "refused" });
      expect(events.at(-1)?.findings).toContain(RULE);
      expect(guard.fromClient(call).action).not.toBe("forward");
    }
  });

  test("passes where it was pinned so, and where the policy lets it", () => {
    const pinned = guardOf({ tools: [bad, countLines] }, { preset: "compatible" });
    expect(shown(listTools(pinned.guard, [bad, countLines]))).toEqual([bad, countLines]);
    const rules = { "mcp/item-added": { guard: "pass" }, [RULE]: { guard: "pass" } } as const;
    const { guard } = guardOf({ tools: [countLines] }, { preset: "breaking", rules });
    expect(shown(listTools(guard, [bad, countLines]))).toEqual([bad, countLines]);
  });

  test("is refused by an official client with the whole list", () => {
    const list = { tools: [countLines, bad] };
    const { issues } = specTypeSchemas.ListToolsResult["~standard"].validate(list) as { issues?: unknown };
    const isRefused = !ListToolsResultSchema.safeParse(list).success || issues !== undefined;
    // Neither reads the name of an input schema's dialect.
    expect(isRefused).toBe(!JSON.stringify(members).includes('"$schema":7'));
  });
});

test("a policy can freeze the locked definition where every call of it is valid", () => {
  const { guard } = guardOf(WORLD, { preset: "compatible", rules: { [RULE]: { guard: "freeze" } } });
  const emptied = { ...readFile, inputSchema: { $schema: "http://json-schema.org/draft-07/schema#" } };
  expect(shown(listTools(guard, [emptied, countLines]))).toEqual([readFile, countLines]);
});

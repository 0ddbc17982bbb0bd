import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { describe, expect, test } from "vitest";
import { asClient, CLIENTS, guardCommand, isPinned, type ListedTool } from "../support/quirks.ts";
import { Workspace } from "../support/workspace.ts";

const SERVER = fileURLToPath(new URL("../support/any-list-server.cjs", import.meta.url));
/** Lists that real servers returned: reference data next to the repository. */
const DUMPS = fileURLToPath(new URL("../../../../../shared/mcp-dumps", import.meta.url));

interface RealTool extends ListedTool {
  readonly outputSchema?: object;
  readonly execution?: { readonly taskSupport?: string };
}

/** Returns a value that fits a schema, with only the required properties, with all properties, or with some of them. */
function fitting(schema: object, optionalsProbability: number): Record<string, unknown> {
  const options = { seed: 1, optionalsProbability, useDefaultValue: false, additionalPropertiesProbability: 0 };
  return generateSync(schema as JsonSchema, options) as Record<string, unknown>;
}

const callsOf = ({ inputSchema }: ListedTool) => [0, 0.5, 1].map((share) => fitting(inputSchema, share));

describe.skipIf(!existsSync(DUMPS))("the list of a real server (skipped where ../shared/mcp-dumps is absent)", () => {
  test.each(globSync("*.json", { cwd: DUMPS }).map((file) => basename(file, ".json")))(
    "is listed and called behind the guard as without it, where pin and check end with 0: %s",
    async (name) => {
      using space = new Workspace();
      const { result } = JSON.parse(readFileSync(join(DUMPS, `${name}.json`), "utf8"));
      const tools = result.tools as readonly RealTool[];
      const results = Object.fromEntries(
        tools.map((tool) => [tool.name, tool.outputSchema && { structuredContent: fitting(tool.outputSchema, 1) }]),
      );
      writeFileSync(space.path("server.json"), JSON.stringify({ tools, results }));
      // The official clients can call such a tool only as a task.
      const asTask = tools.filter(({ execution }) => execution?.taskSupport === "required").map((tool) => tool.name);
      const direct = [process.execPath, SERVER, space.path("server.json")] as const;
      expect(await isPinned(space, direct)).toBe(true);
      for (const { version, capabilities } of CLIENTS) {
        const asking = { version, callsOf, maxCalls: Number.POSITIVE_INFINITY, outcomeOf: (called: object) => called };
        const wanted = await asClient(space, direct, capabilities, asking);
        expect(wanted.pages).toEqual([expect.objectContaining({ tools: expect.any(Array) })]);
        expect(wanted.calls).toHaveLength(3 * tools.length);
        const failed = wanted.calls.flatMap(([called, outcome]) => (outcome === "failed" ? [called] : []));
        expect(failed.filter((called) => !asTask.includes(called))).toEqual([]);
        const guarded = await asClient(space, guardCommand("q"), capabilities, { ...asking, timeout: 120_000 });
        expect(guarded).toEqual(wanted);
      }
    },
  );
});

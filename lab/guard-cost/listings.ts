import { createGuard } from "@agentprint/guard";
import { createLock } from "@agentprint/mcp-lock";
import { DEFAULT_POLICY } from "@agentprint/policy";

const TOOLS = 1_000;
const ROUNDS = 31;

/**
 * Returns how long a guard takes to verify a listing of 1,000 tools of 2 KB, as a multiple of the time of `JSON.parse`:
 * the first time, and when the same listing is repeated.
 */
export function measureListings(): { readonly first: number; readonly again: number } {
  const tools = Array.from({ length: TOOLS }, (_, index) => ({
    name: `tool_${index}`,
    description: "Reads a part of a file. ".repeat(60),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        ["path", "from", "to", "encoding"].map((name) => [
          name,
          { type: "string", description: `The ${name} ${index}` },
        ]),
      ),
      required: ["path"],
    },
  }));
  const serverInfo = { name: "many", version: "1" };
  const greeting = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
  const lock = createLock({
    many: {
      launch: { type: "stdio", command: "many", args: [], env: [] },
      client: "claude-code",
      clientCapabilities: {},
      sessions: [
        {
          era: "legacy",
          view: "client",
          protocolVersion: "2025-11-25",
          greetings: [greeting],
          lists: { tools: [[{ tools }]] },
          contents: [],
        },
      ],
    },
  });
  const page = (id: number): Uint8Array => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }));
  const times = { parse: [] as number[], first: [] as number[], again: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const guard = createGuard({ lock, server: "many", policy: DEFAULT_POLICY });
    for (const [id, kept] of [times.first, times.again].entries()) {
      const message = page(id);
      guard.fromClient(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" }));
      kept.push(timed(() => expectForward(guard.fromServer(message).action)));
    }
    const text = Buffer.from(page(2));
    times.parse.push(timed(() => JSON.parse(text.toString())));
  }
  const [parse, first, again] = [times.parse, times.first, times.again].map(median) as [number, number, number];
  return { first: first / parse, again: again / parse };
}

function expectForward(action: string): void {
  if (action !== "forward") throw new Error(`the listing should be passed on unchanged; the action was: ${action}`);
}

function timed(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

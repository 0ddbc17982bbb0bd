import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test, vi } from "vitest";
import { collector } from "../guard/collector.ts";
import { pinned, RECORD, recordedEvents, seen } from "../guard/fault-world.ts";
import { listening } from "../guard/support.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import type { Workspace } from "../support/workspace.ts";

const FAILING = new URL("../guard/failing-digest.mjs", import.meta.url).href;

/** Runs a client behind a guard on a machine that cannot digest the arguments of one call. */
async function behindGuard(
  space: Workspace,
  way: "stdio" | "http",
  more: readonly string[],
  act: (client: Client) => Promise<void>,
): Promise<void> {
  vi.stubEnv("NODE_OPTIONS", `--import=${FAILING}`);
  // Spans need the digests immediately, so the guard notices the failing digest.
  await collector("http/json");
  const client = new Client({ name: "test", version: "1.0.0" });
  const options = ["faults", "--otel", ...RECORD, ...more];
  if (way === "http") {
    await using guard = await listening(space, options);
    await client.connect(new StreamableHTTPClientTransport(guard.url));
    await act(client).finally(() => client.close());
  } else {
    const [command, ...args] = AGENTPRINT;
    const env = { ...(process.env as Record<string, string>), ...STATE };
    const launch = { command, args: [...args, "guard", ...options], cwd: space.folder, env };
    await client.connect(new StdioClientTransport(launch));
    await act(client).finally(() => client.close());
  }
}

test.each([
  ["stdio", false],
  ["stdio", true],
  ["http", false],
  ["http", true],
] as const)("over %s, a call on which the guard fails passes only with --fail-open: %s", async (way, isOpen) => {
  const space = await pinned();
  await behindGuard(space, way, isOpen ? ["--fail-open"] : [], async (client) => {
    const echo = (text: unknown) => client.callTool({ name: "echo", arguments: { text } });
    expect(await echo("fails")).toMatchObject(isOpen ? { content: [{ text: "fails" }] } : { isError: true });
    // The guard still refuses the calls that it decides to refuse, and passes all others.
    expect(await echo(1)).toMatchObject({ isError: true });
    expect(await echo("works")).toMatchObject({ content: [{ text: "works" }] });
  });
  expect(seen(space)).toEqual([...(isOpen ? ["echo fails"] : []), "echo works"]);

  const events = await recordedEvents(space);
  const faults = events.filter(({ kind, reason }) => kind === "fault" && reason === "TypeError");
  expect(faults).toMatchObject([
    {
      outcome: isOpen ? "passed" : "refused",
      decision: isOpen ? "pass" : "block",
      method: "tools/call",
      tool: "echo",
      server: "faults",
    },
  ]);
  const kinds = events.filter(({ call }) => call === faults[0].call).map(({ kind }) => kind);
  expect(kinds).toEqual(isOpen ? ["fault", "result"] : ["fault"]);
});

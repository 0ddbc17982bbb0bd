import { expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";

const world = projectAndHome();
const { write } = world;

test("without a server, the summary describes each source, and does not say that nothing was checked", async () => {
  write("AGENTS.md", "Be kind.\n");
  expect(await world.run(["pin", "--skills"])).toMatchObject({ code: 0 });
  write("AGENTS.md", "Be rude.\n");
  write(".mcp.json", JSON.stringify({ mcpServers: { files: { command: "node", args: ["files.js"] } } }));
  write(".cursor/MCP.json", "{}");
  const { code, stdout } = await world.run(["check", "--format", "json"]);
  expect(code).toBe(1);
  const { summary, outcome, findings } = JSON.parse(stdout) as {
    readonly summary: string;
    readonly outcome: string;
    readonly findings: readonly { readonly rule: string }[];
  };
  expect({ summary, outcome }).toEqual({
    summary:
      "1 name is in a different case than clients read; 1 of the skills and instruction files differs; configurations and lock differ in 1 entry",
    outcome: "drift",
  });
  expect(findings.map(({ rule }) => rule)).toEqual([
    "mcp/name-in-another-case",
    "mcp/not-pinned",
    "skills/instructions-changed",
  ]);
});

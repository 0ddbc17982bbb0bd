import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/clients/read-config.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const FILES = fileURLToPath(new URL("../../../../packages/client-configs/test/files/", import.meta.url));
const ref = (name: string): string => `\${${name}}`;

const ENV = { CHARTS_KEY: "ck", TIDES_KEY: "tk", BOAT: "boat", LANG: "C", AGENTPRINT_INPUT_TIDES_KEY: "asked" };
const TIDES = "https://tides.example/mcp";

/** Returns the launch of each server in a file, with the values that the server would receive. */
async function serversOf(file: string, folder = FILES): Promise<Record<string, unknown>> {
  const context = memoryContext([], { cwd: folder, env: ENV });
  const targets = await readConfig(context, file, "agentprint.lock");
  const found = targets.map(async ({ name, launch, readValues }) => {
    const values = await Promise.resolve(readValues()).catch((error: Error) => error.message);
    return [name, launch.type === "stdio" ? [launch.command, ...launch.args] : launch.url, values];
  });
  return Object.fromEntries((await Promise.all(found)).map(([name, ...rest]) => [name, rest]));
}

describe("a configuration of each client", () => {
  test.each([
    {
      file: "claude-code.json",
      servers: {
        tides: [TIDES, { "X-Key": "tk" }],
        charts: [["npx", "-y", "charts-mcp"], { CHARTS: "north" }],
      },
    },
    { file: "claude-desktop.json", servers: { charts: [["npx", "-y", "charts-mcp@1.4.0"], { ROOT: "/charts" }] } },
    {
      file: "cursor.json",
      servers: {
        charts: [["npx", "-y", "charts-mcp"], expect.stringContaining(".env")],
        tides: [TIDES, { Authorization: "Bearer tk" }],
      },
    },
    { file: "vscode.json", servers: { charts: [["charts-mcp"], {}], tides: [TIDES, { "X-Key": "asked" }] } },
    { file: "windsurf.json", servers: { tides: [TIDES, { "X-Key": "tk" }] } },
    {
      file: "zed.json",
      servers: {
        charts: [["charts-mcp", "--fast"], {}],
        older: [["older-mcp", "a"], { A: "1" }],
        tides: [TIDES, { "X-Key": "k" }],
      },
    },
    {
      file: "codex.toml",
      servers: {
        charts: [["npx", "-y", "charts-mcp"], { ROOT: "/charts", LANG: "C", CHARTS_KEY: "ck" }],
        tides: [TIDES, { Authorization: "Bearer tk", "X-Region": "north", "X-Boat": "boat" }],
        berths: [["berths-mcp"], { A: "1" }],
      },
    },
    {
      file: "cline.json",
      servers: { charts: [["node", "charts.js"], {}], tides: [TIDES, { "X-Key": "k" }] },
    },
    { file: "roo.json", servers: { charts: [["node", "charts.js"], {}] } },
    { file: "lm-studio.json", servers: { tides: [TIDES, { Authorization: "Bearer k" }] } },
    {
      file: "amp.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    {
      file: "kiro.json",
      servers: {
        charts: [["uvx", "charts-mcp@1.4.0"], { KEY: "ck", MODE: "fast" }],
        tides: [TIDES, { "X-Key": "tk" }],
      },
    },
    {
      file: "junie.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { MODE: "fast" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    { file: "kilo-2.json", servers: { charts: [["node", "charts.js"], {}], tides: [TIDES, { "X-Key": "k" }] } },
    {
      file: "copilot.json",
      servers: { charts: [["npx", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "trae.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { MODE: "fast" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    {
      file: "amazon-q.json",
      servers: { charts: [["uvx", "charts-mcp@1.4.0"], { MODE: "fast" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    {
      file: "factory.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "codebuddy.json",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "k" }] },
    },
    {
      file: "goose.yaml",
      servers: {
        charts: [["uvx", "charts-mcp", "--fast"], { ROOT: "/charts", CHARTS_KEY: "ck" }],
        tides: [TIDES, { "X-Key": "k" }],
      },
    },
  ])("$file is read in its own spelling", async ({ file, servers }) => {
    expect(await serversOf(file)).toEqual(servers);
  });

  test.each([
    {
      file: "gemini.json",
      as: ".gemini/settings.json",
      servers: {
        charts: [["charts-mcp", "--key", ref("env:CHARTS_KEY")], { K: "ck" }],
        tides: [TIDES, { "X-Key": "tk" }],
      },
    },
    {
      file: "qwen.json",
      as: ".qwen/settings.json",
      servers: { charts: [["python", "-m", "charts"], { K: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "kilo.jsonc",
      as: ".kilo/kilo.jsonc",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "crush.json",
      as: ".crush.json",
      servers: {
        charts: [["npx", "charts-mcp", ref("env:BOAT")], { KEY: "ck" }],
        tides: [TIDES, { Authorization: "Bearer tk" }],
        tokens: ["https://tides.example/sse", expect.stringContaining(`${ref("shell:…")} cannot be filled in`)],
      },
    },
    {
      file: "continue.yaml",
      as: ".continue/config.yaml",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "opencode.jsonc",
      as: "opencode.jsonc",
      servers: { charts: [["npx", "-y", "charts-mcp"], { KEY: "ck" }], tides: [TIDES, { "X-Key": "tk" }] },
    },
    {
      file: "opencode-2.jsonc",
      as: ".opencode/opencode.jsonc",
      servers: { charts: [["charts-mcp"], expect.stringContaining(`${ref("file:…")} cannot be filled in`)] },
    },
  ])("$as is read with its client's references", async ({ file, as, servers }) => {
    using workspace = new Workspace();
    mkdirSync(dirname(workspace.path(as)), { recursive: true });
    copyFileSync(FILES + file, workspace.path(as));
    expect(await serversOf(as, workspace.folder)).toEqual(servers);
  });
});

describe("a faulty configuration", () => {
  test("is an invalid-config with its place", async () => {
    using workspace = new Workspace();
    writeFileSync(workspace.path("c.toml"), 'a = 1\nb = "x');
    const { code, stderr } = await workspace.run(["pin", "--mcp-config", "c.toml"]);
    expect(code).toBe(2);
    expect(stderr).toContain("code:      invalid-config");
    expect(stderr).toContain("where:     c.toml:2:");
    expect(stderr).toContain('expected:  {"mcpServers"');
  });

  test("an envFile that is a pipe is not waited for", async () => {
    using workspace = new Workspace();
    outputOf("mkfifo", [workspace.path("pipe")]);
    writeFileSync(workspace.path("mcp.json"), '{"mcpServers":{"a":{"command":"x","envFile":"pipe"}}}');
    const { code, stderr } = await workspace.run(["pin", "--mcp-config", "mcp.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("cannot read pipe: it is not a regular file");
  });
});

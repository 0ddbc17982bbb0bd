import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import type { Finding, JudgedReport } from "@agentprint/findings";
import { renderReport } from "@agentprint/report";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { writeReport } from "../../src/report/write-report.ts";
import { columnsOf } from "../../src/terminal/wrap-lines.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const OPTIONS = { format: "text", full: false, brief: true } as const;

function terminal(columns?: number): PassThrough & { isTTY?: boolean } {
  return Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, ...(columns && { columns }) });
}

const finding = (tool: string, rest: Partial<Finding> = {}): Finding => ({
  rule: "mcp/tool-prose-changed",
  level: "error",
  place: { subject: `files › ${tool}`, server: "files", tool, pointer: "/description" },
  message: "prose changed",
  ...rest,
});

const report: JudgedReport = {
  command: "agentprint check",
  title: "agentprint check",
  summary: "files drifted: 9 of 14 tools changed",
  outcome: "drift",
  findings: [
    finding("読む", { after: "ファイルを読み、内容を返します。".repeat(10) }),
    finding("read", {
      before: "Reads a file and returns its text, as it is on the disk, to the caller.",
      after: "Reads a file and returns its text, as it is in memory, to the caller.",
    }),
    ...Array.from({ length: 12 }, (_, index) => finding(`tool-number-${index}`, { after: true })),
  ],
  rules: {},
  checked: [],
  servers: [{ server: "files", tools: 14, outcome: "drift" }],
  data: {},
};

async function written(stdout: PassThrough, options: Parameters<typeof writeReport>[2] = OPTIONS, env = {}) {
  const code = await writeReport(memoryContext([], { env }, stdout), report, options);
  return { code, text: `${stdout.read() ?? ""}` };
}

describe("on a terminal", () => {
  test.each([40, 80, 200])("no row is wider than %i columns, wide characters counted twice", async (columns) => {
    const { code, text } = await written(terminal(columns), OPTIONS, { FORCE_COLOR: "1" });
    expect(code).toBe(1);
    const rows = text.split("\n");
    expect(Math.max(...rows.map((row) => stringWidth(row)))).toBeLessThanOrEqual(columns);
    expect(Math.max(...rows.map((row) => stringWidth(row)))).toBeGreaterThan(columns / 2);
  });

  test("only line ends and indentation are added, and continued rows are below their line", async () => {
    const { text } = await written(terminal(60), OPTIONS, { NO_COLOR: "1" });
    const { text: whole } = await written(new PassThrough({ encoding: "utf8" }));
    expect(text.replace(/\s+/g, "")).toBe(whole.replace(/\s+/g, ""));
    const rows = text.split("\n");
    const first = rows.findIndex((row) => row.startsWith("  error  read:"));
    expect(rows.slice(first, first + 4)).toEqual([
      '  error  read: prose changed at /description: "Reads a',
      "    file and returns its text, as it is [-on the disk-]{+in",
      '    memory+}, to the caller."',
      "  error  prose changed at /description: + true",
    ]);
  });

  test("the width is the terminal's, or COLUMNS, or 80", () => {
    const env = { COLUMNS: "100" };
    expect(columnsOf({ env }, terminal(120))).toBe(120);
    expect(columnsOf({ env }, terminal())).toBe(100);
    expect(columnsOf({ env: { COLUMNS: "wide" } }, terminal())).toBe(80);
    expect(columnsOf({ env: {} }, terminal())).toBe(80);
    expect(columnsOf({ env }, new PassThrough())).toBeUndefined();
  });
});

test("elsewhere lines are not wrapped", async () => {
  const { text } = await written(new PassThrough({ encoding: "utf8" }), OPTIONS, { COLUMNS: "40" });
  expect(text.split("\n")[3]).toMatch(/^ {2}error {2}prose changed at \/description: \+ true$/);
  expect(text.split("\n")[4]?.length).toBeGreaterThan(150);
});

describe("a summary", () => {
  test("is a table", async () => {
    const { text, code } = await written(terminal(80), { ...OPTIONS, summary: true }, { NO_COLOR: "1" });
    expect(code).toBe(1);
    expect(text).toBe(renderReport(report, "text", { summary: true }));
    expect(text).toContain("files      14       3         0      0  drifted\n");
  });

  test("is refused in a format without summaries", async () => {
    const sarif = written(terminal(), { ...OPTIONS, format: "sarif", summary: true });
    await expect(sarif).rejects.toMatchObject({ code: "usage", message: "sarif has no summary" });
  });
});

describe("further files", () => {
  const text = (...also: NonNullable<Parameters<typeof writeReport>[2]["also"]>) => ({ ...OPTIONS, also });

  test("contain the same complete report in other formats", async () => {
    using workspace = new Workspace();
    const [sarif, markdown] = [workspace.path("drift.sarif"), workspace.path("drift.md")];
    const options = text({ format: "sarif", file: sarif }, { format: "markdown", file: markdown });
    const { code, text: shown } = await written(new PassThrough({ encoding: "utf8" }), options);
    expect({ code, shown }).toEqual({ code: 1, shown: expect.stringContaining("files drifted") });
    expect(JSON.parse(readFileSync(sarif, "utf8"))).toEqual(
      JSON.parse(renderReport(report, "sarif", { file: "package.json" })),
    );
    const whole = "ファイルを読み、内容を返します。".repeat(10);
    expect(readFileSync(markdown, "utf8")).toContain(whole);
  });

  test.each(["sarif", "sarif=", "pdf=drift.pdf", "=drift.md"])("are not written for %s", async (operand) => {
    using workspace = new Workspace();
    const { code, stderr } = await workspace.run(["check", "--also", operand]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("<format>=<file>") });
  });
});

describe("a file that the command reads", () => {
  test.each([
    [["-o", "agentprint.lock"], "agentprint.lock"],
    [["-o", "link"], "link"],
    [["--also", "json=./agentprint.lock"], "./agentprint.lock"],
    [["--also", "json=agentprint.config.json"], "agentprint.config.json"],
    [["--mcp-config", ".mcp.json", "--also", "markdown=.mcp.json"], ".mcp.json"],
    [["-o", "drift.txt", "--also", "json=drift.txt"], "drift.txt"],
  ])("is not replaced by %j", async (options, file) => {
    using workspace = new Workspace(ONE_ERA);
    const [command = "", ...args] = hostile("terminal-escapes");
    writeFileSync(
      workspace.path(".mcp.json"),
      JSON.stringify({ mcpServers: { it: { command, args, env: { HOSTILE_TEXT: "x" } } } }),
    );
    writeFileSync(workspace.path("agentprint.config.json"), "{}");
    expect((await workspace.run(["pin", "--mcp-config", ".mcp.json"])).code).toBe(0);
    symlinkSync("agentprint.lock", workspace.path("link"));
    const texts = () => readdirSync(workspace.folder).map((name) => [name, readFileSync(workspace.path(name), "utf8")]);
    const before = texts();
    const { code, stderr } = await workspace.run(["check", ...options]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`would replace ${file}\n`) });
    expect(texts()).toEqual(before);
  });

  test("does not include a device, which takes several reports", async () => {
    const further = ["json", "markdown"].map((format) => ({ format: format as "json", file: "/dev/null" }));
    expect((await written(new PassThrough(), { ...OPTIONS, output: "/dev/null", also: further })).code).toBe(1);
  });
});

test.each(["github", "sarif", "gitlab", "json"] as const)(
  "%s names a file from the top of the repository",
  async (format) => {
    using workspace = new Workspace();
    mkdirSync(workspace.path(".git"));
    mkdirSync(workspace.path("apps/web"), { recursive: true });
    const at = (file: string): Finding =>
      finding("read", { after: file, place: { subject: file, location: { file, line: 3 } } });
    const files = [
      "agentprint.lock",
      "../other.lock",
      workspace.path("absolute.lock"),
      "/outside.lock",
      "standard input",
    ];
    const stdout = new PassThrough({ encoding: "utf8" });
    const context = memoryContext([], { cwd: workspace.path("apps/web") }, stdout);
    await writeReport(context, { ...report, findings: files.map(at) }, { ...OPTIONS, format });
    const text = decodeURIComponent(String(stdout.read()).replaceAll(/%(?![0-9A-F]{2})/g, "%25"));
    const names = {
      github: /^::error file=([^,]*),/gm,
      sarif: /"uri": "([^"]*)"/g,
      gitlab: /"path": "([^"]*)"/g,
      json: /"file":"([^"]*)"/g,
    };
    // Code hosts refuse findings about files that are not in the repository.
    const isHosted = format === "sarif" || format === "gitlab";
    expect([...text.matchAll(names[format])].map(([, name]) => name)).toEqual([
      "apps/web/agentprint.lock",
      "apps/other.lock",
      "absolute.lock",
      ...(isHosted ? ["agentprint.lock", "agentprint.lock"] : ["/outside.lock", "standard input"]),
    ]);
  },
);

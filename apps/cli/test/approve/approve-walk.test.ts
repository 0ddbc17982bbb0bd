import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { after, DriftingServers } from "../support/drifting-servers.ts";
import { hostile } from "../support/hostile.ts";
import { runInTerminal } from "../support/terminal.ts";

let workspace: DriftingServers;
beforeEach(async () => {
  workspace = await DriftingServers.create();
});
afterEach(() => workspace[Symbol.dispose]());

const QUESTION = "Write this state of";

describe("agentprint approve on a terminal", () => {
  test("walks through the servers and writes those answered with yes, at once", async () => {
    const run = await runInTerminal(
      ["approve", "--all"],
      [
        [`${QUESTION} a to agentprint.lock? (server 1 of 3) [y]es, [n]o, [s]tep, [f]ull, [q]uit: `, "y"],
        [`${QUESTION} b`, "NO"],
        [`${QUESTION} c`, "yes"],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(run).toMatchObject({ code: 1, unasked: [] });
    expect(run.stdout).toMatch(/^agentprint approve: steady unchanged \(100 tools\)\n/);
    expect(run.stdout.match(/agentprint approve: . drifted/g)).toHaveLength(3);
    expect(run.stderr).toMatch(/approved a: .*\napproved c: .*\n$/);
    expect(workspace.changed()).toEqual(["a", "c"]);
  });

  test("quit leaves the rest and keeps the accepted ones, and a question mark explains the answers", async () => {
    const run = await runInTerminal(
      ["approve", "c", "b", "a"],
      [
        [`${QUESTION} c`, "?"],
        [`${QUESTION} c`, undefined],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(run).toMatchObject({ code: 2, unasked: [] });
    expect(run.stderr).toContain("  quit  skip the remaining servers");
    expect(run.stderr).toContain("error: the input ended before the question was answered");
    expect(workspace.changed()).toEqual([]);
    const quit = await runInTerminal(
      ["approve", "c", "b", "a"],
      [
        [`${QUESTION} c`, "y"],
        [`${QUESTION} b`, "q"],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(quit).toMatchObject({ code: 1, unasked: [] });
    expect(workspace.changed()).toEqual(["c"]);
  });

  test("steps through the findings of a server", async () => {
    const run = await runInTerminal(
      ["approve", "a"],
      [
        [`${QUESTION} a to agentprint.lock? [y]es`, "s"],
        ["Go on?", "no"],
        [QUESTION, "y"],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(run).toMatchObject({ code: 0, unasked: [] });
    expect(run.stderr).toMatch(/change 1 of \d+: mcp\//);
    expect(workspace.changed()).toEqual(["a"]);
  });

  test.each(["full", "step"])("accepts no yes until all changes were shown with %s", async (how) => {
    const describe = (text: string): void => writeFileSync(workspace.path("description.txt"), text);
    describe("Reads a file.");
    expect((await workspace.run(["pin", "--name", "it", "--", ...hostile("tells-a-file")])).code).toBe(0);
    describe(`${"Reads a file. ".repeat(5000)}Then sends it on.`);
    const launch = ["--", ...hostile("tells-a-file"), "--more"];
    const steps = Array.from({ length: 20 }, () => ["Go on?", "y"] as const);
    const run = await runInTerminal(
      ["approve", "it", ...launch],
      [[QUESTION, "y"], [QUESTION, how], ...(how === "step" ? steps : []), [QUESTION, "y"]],
      { cwd: workspace.folder },
    );
    expect(run.stdout).not.toContain("Then sends it on.");
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("Then sends it on.") });
    expect(run.stderr).toContain("Not every change has been shown yet: answer full or step first\n");
    expect((await workspace.run(["check", "it"])).code).toBe(0);
  });

  test("asks about each server after a full report in a file", async () => {
    const run = await runInTerminal(
      ["approve", "a", "b", "-o", "report.md", "--format", "markdown"],
      [
        [`${QUESTION} a`, "n"],
        [`${QUESTION} b`, "y"],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(run).toMatchObject({ code: 1, stdout: "", unasked: [] });
    expect(readFileSync(workspace.path("report.md"), "utf8")).toMatch(/a drifted.*b drifted/);
    expect(workspace.changed()).toEqual(["b"]);
  });

  test("writes nothing where the run is ended", async () => {
    const run = await runInTerminal(
      ["approve", "a", "b"],
      [
        [`${QUESTION} a`, "y"],
        [`${QUESTION} b`, undefined],
      ],
      { cwd: workspace.folder, env: after },
    );
    expect(run).toMatchObject({ code: 2, unasked: [] });
    expect(workspace.changed()).toEqual([]);
  });

  test("reports a server that could not be read, asks about the others, and ends 2", async () => {
    workspace.configure({ b: { command: "no-such-command" } });
    const run = await runInTerminal(["approve", "a", "b", "--mcp-config", "mcp.json"], [[`${QUESTION} a`, "y"]], {
      cwd: workspace.folder,
      env: after,
    });
    expect(run).toMatchObject({ code: 2, unasked: [] });
    expect(run.stderr).toContain("error: b: could not be read");
    expect(workspace.changed()).toEqual(["a"]);
  });
});

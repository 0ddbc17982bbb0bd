import { readFileSync, writeFileSync } from "node:fs";
import type { LockedServer } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { unshownBytes } from "../../src/approve/changed-files.ts";
import { QUIRKS } from "../support/quirks.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import { RUNS_IN_TESTS } from "../support/script-server.ts";
import { runInTerminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const SERVER = readFileSync(QUIRKS, "utf8").replace(/^.*\n/, RUNS_IN_TESTS);

let workspace: Workspace;
beforeEach(async () => {
  workspace = new Workspace();
  writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ visits: { settle: 0, views: "client" } }));
  writeFileSync(workspace.path("server.cjs"), SERVER);
  const pinned = await workspace.runInOwnViews(["pin", "--name", "q", "--", process.execPath, "server.cjs", "plain"]);
  expect(pinned).toMatchObject({ code: 0 });
});
afterEach(() => workspace[Symbol.dispose]());

function edit(text: string): void {
  writeFileSync(workspace.path("server.cjs"), `${readFileSync(workspace.path("server.cjs"), "utf8")}${text}`);
}

const approve = (...answers: readonly (readonly [question: string, typed: string])[]) =>
  runInTerminal(["approve", "q"], answers, { cwd: workspace.folder });

describe("a launch file that changed", () => {
  test.skipIf(!HAS_GIT)("is shown with the pinned text, where a commit has it", async () => {
    const repository = new Repository(workspace.folder);
    repository.commit();
    edit("// Between: committed, and never pinned.\n");
    repository.commit();
    edit("// Sends \u001b[2Jthe files away.\n");
    const { code, unasked, stdout, stderr } = await approve(["Write this state of q", "y"]);
    expect({ code, unasked }).toEqual({ code: 0, unasked: [] });
    expect(stdout).toContain("script or program that the launch names changed: server.cjs at /args/0");
    expect(stdout).toContain("// Between: committed, and never pinned.\\n// Sends \\u001b[2Jthe");
    expect(stdout).not.toMatch(/"[0-9a-f]{12}…"/);
    expect(stderr).not.toContain("earlier text");
    expect(await workspace.runInOwnViews(["check"])).toMatchObject({ code: 0 });
  });

  test.skipIf(!HAS_GIT).each(["without a repository", "in a repository without the pinned bytes"])(
    "is shown to its end %s, and asked about in other words",
    async (where) => {
      edit(`${"// Another line.\n".repeat(500)}// The last line of the file.\n`);
      if (where.startsWith("in")) new Repository(workspace.folder).commit();
      const question =
        "There is no earlier text of server.cjs: you judge all of the current text, not a difference. Write";
      const walked = await approve([question, "y"], [question, "full"], [question, "y"]);
      expect(walked).toMatchObject({ code: 0, unasked: [] });
      expect(walked.stdout).toContain("read all of the current one");
      expect(walked.stderr).toContain("Not every change has been shown yet");
      expect(walked.stderr).toContain("// The last line of the file.");
    },
  );

  test.each([
    ["no text", "/* \0 */"],
    ["too long", " ".repeat(1024 * 1024)],
  ])("is named as not shown where it is %s", async (_, text) => {
    edit(text);
    const question =
      "Only the digests of server.cjs are shown: it is too long, or not text. Look at the file itself. Write";
    const walked = await approve([question, "n"]);
    expect(walked).toMatchObject({ code: 1, unasked: [] });
    expect(walked.stdout).toMatch(/names changed: server\.cjs at \/args\/0: "[0-9a-f]{12}…" → "[0-9a-f]{12}…"/);
  });
});

test("of a package in another version: the question names the command that shows the files of both", () => {
  const entryWith = (kind: "npm" | "pypi", version: string, integrity: string) => ({
    ...(workspace.lock().servers[0] as LockedServer),
    artifacts: [{ pointer: "/args/1", kind, name: "files-server", version, integrity }],
  });
  const [old, now] = [entryWith("npm", "1.0.0", "sha512-AA=="), entryWith("npm", "1.0.1", "sha512-BB==")];
  expect(unshownBytes(old, old, new Map())).toEqual([]);
  expect(unshownBytes(old, now, new Map())).toEqual([
    "No file of files-server@1.0.0 → files-server@1.0.1, or of what is installed with it, is shown. npm diff --diff=files-server@1.0.0 --diff=files-server@1.0.1 shows both.",
  ]);
  const pypi = [entryWith("pypi", "1.0.0", "sha256-AA=="), entryWith("pypi", "1.0.1", "sha256-BB==")] as const;
  expect(unshownBytes(...pypi, new Map())).toEqual([
    "No file of files-server@1.0.0 → files-server@1.0.1, or of what is installed with it, is shown.",
  ]);
});

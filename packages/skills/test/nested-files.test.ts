import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder, withoutRoot } from "@agentprint/testing/other-accounts";
import { describe, expect, test } from "vitest";
import { type Budget, isIgnored, readIgnoreRules } from "../src/ignore-rules.ts";
import { checkSkills, readSkills } from "../src/index.ts";
import { errorOf, instructionsOf, Project, tooLarge } from "./project.ts";

describe("instruction files in folders below", () => {
  test("are those that agents read in every folder, dot-folders included", async () => {
    using project = new Project().write({
      "AGENTS.md": "0",
      "packages/a/AGENTS.md": "1",
      "packages/a/src/CLAUDE.md": "2",
      ".config/GEMINI.md": "3",
      "packages/a/.cursor/rules/deep/one.mdc": "4",
      "packages/a/README.md": "5",
      "packages/a/.github/copilot-instructions.md": "6",
      "node_modules/x/AGENTS.md": "7",
      "packages/a/node_modules/x/CLAUDE.md": "8",
      ".git/AGENTS.md": "9",
      ".claude/skills/x/SKILL.md": "10",
      ".claude/skills/x/AGENTS.md": "11",
      ".claude/commands/AGENTS.md": "12",
    });
    expect(await instructionsOf(project)).toEqual([
      ".claude/commands/AGENTS.md",
      ".config/GEMINI.md",
      "AGENTS.md",
      "packages/a/.cursor/rules/deep/one.mdc",
      "packages/a/AGENTS.md",
      "packages/a/src/CLAUDE.md",
    ]);
  });

  test("are none in ignored folders, without Git, too, and none that are ignored themselves", async () => {
    using project = new Project().write({
      ".gitignore": "/out/\r\n*.tmp\n!keep.tmp\n",
      "out/AGENTS.md": "1",
      "b/out/AGENTS.md": "2",
      "b/x.tmp/AGENTS.md": "3",
      "b/keep.tmp/AGENTS.md": "4",
      "c/.gitignore": "CLAUDE.md\n/d/*\n!/d/e/\n",
      "c/CLAUDE.md": "5",
      "c/AGENTS.md": "6",
      "c/d/AGENTS.md": "7",
      "c/d/e/AGENTS.md": "8",
      "f/.gitignore": "*\n",
      "f/g/AGENTS.md": "9",
    });
    expect(await instructionsOf(project)).toEqual([
      "b/keep.tmp/AGENTS.md",
      "b/out/AGENTS.md",
      "c/AGENTS.md",
      "c/d/e/AGENTS.md",
    ]);
  });

  test("are ignored by the folders above, up to the repository's", async () => {
    using project = new Project().write({
      ".gitignore": "/repo\n*\n",
      "repo/.git/HEAD": "",
      "repo/.gitignore": "/sub/gen/\nlocal/\n",
      "repo/sub/gen/AGENTS.md": "1",
      "repo/sub/local/AGENTS.md": "2",
      "repo/sub/src/gen/AGENTS.md": "3",
    });
    expect(await instructionsOf(project, "repo/sub")).toEqual(["src/gen/AGENTS.md"]);
  });

  test("that are pinned cannot be hidden by a rule", async () => {
    using project = new Project().write({ "a/AGENTS.md": "1", "b/AGENTS.md": "2" });
    const locked = await readSkills(project.folder);
    project.write({ ".gitignore": "*\n", "a/AGENTS.md": "other" });
    const { findings } = await checkSkills(locked, project.folder);
    expect(findings).toMatchObject([{ rule: "skills/instructions-changed", place: { subject: "a/AGENTS.md" } }]);
    const outside = { ...locked, instructions: [{ path: "../AGENTS.md", digest: "0".repeat(64) }] };
    writeFileSync(project.path("../AGENTS.md"), "");
    await expect(checkSkills(outside, project.folder)).rejects.toMatchObject({ code: "outside" });
    rmSync(project.path("../AGENTS.md"));
  });

  test.skipIf(process.platform === "win32")(
    "are not behind links to folders, and no link leaves the project",
    async () => {
      using other = new Project().write({ "AGENTS.md": "1" });
      using project = new Project().write({ "a/CLAUDE.md": "1", "a/.gitignore": "" });
      symlinkSync(other.folder, project.path("link"));
      symlinkSync("..", project.path("a/loop"));
      symlinkSync("CLAUDE.md", project.path("a/AGENTS.md"));
      rmSync(project.path("a/.gitignore"));
      symlinkSync(other.path("AGENTS.md"), project.path("a/.gitignore"));
      expect(await instructionsOf(project)).toEqual(["a/AGENTS.md", "a/CLAUDE.md"]);
      symlinkSync(other.path("AGENTS.md"), project.path("a/GEMINI.md"));
      expect(await errorOf(project)).toMatchObject({ code: "outside", path: "a/GEMINI.md" });
    },
  );
});

test("too many bytes are an error", async () => {
  using project = new Project();
  const text = new Uint8Array(1_048_576);
  for (let n = 0; n <= 64; n++) project.write({ [`${n}/AGENTS.md`]: text });
  expect(await errorOf(project)).toMatchObject(
    tooLarge(expect.stringMatching(/^\d+\/AGENTS.md$/), "of all instruction files"),
  );
  project.write({ ".gitignore": new Uint8Array(256 * 1024 + 1) });
  expect(await errorOf(project)).toEqual(tooLarge(".gitignore", "more than 262144 bytes"));
});

test("a folder that cannot be read is an error", async () => {
  const folder = openFolder("skills-unreadable-");
  mkdirSync(join(folder, "a"), { mode: 0 });
  await withoutRoot(async () => {
    await expect(readSkills(folder)).rejects.toMatchObject({ code: "unreadable", path: "a" });
  });
  rmSync(folder, { recursive: true });
});

test("too many levels of folders are an error", async () => {
  using project = new Project().write({ [`${"d/".repeat(65)}x`]: "" });
  expect(await errorOf(project)).toEqual(tooLarge("d/".repeat(65).slice(0, -1), "more than 64 folders deep"));
  project.write({ ".gitignore": "d\n" });
  expect(await instructionsOf(project)).toEqual([]);
});

test.each([
  ["a\\", "a", false],
  ["[a", "[a", false],
  ["[[:alnum:]-]x", "-x", true],
  ["[a-", "a", false],
  ["\\!a\\ ", "!a ", true],
  ["\u00ef\u00bb\u00bfa", "a", true],
  ["a/**\\/b", "a/c/b", true],
  ["a/**/b", "a/c/d/b", true],
  ["a/**/b", "a/cb", false],
])("the rule %j and the path %j: ignored is %s", (rule, path, ignored) => {
  const rules = readIgnoreRules(Buffer.from(rule, "latin1"));
  const budget: Budget = { steps: 1000 };
  expect(isIgnored([{ rules, folder: "", above: "" }], path, false, budget)).toBe(ignored);
});

import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { hashCanonical } from "@agentprint/canonical-json";
import { outputOf } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";
import { INSTRUCTION_FILES, INSTRUCTION_FOLDERS, readSkills, SKILL_FOLDERS } from "../src/index.ts";
import { errorOf, Project } from "./project.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const SKILL =
  "---\nname: pdf-forms\ndescription: Fills forms.\nallowed-tools: Bash(git add:*), Read Read\n---\n\nFill them.\n";
const IS_WINDOWS = process.platform === "win32";

describe("a skill", () => {
  test("has the digests of its folder, its text, its scripts and the rest", async () => {
    using project = new Project().write({
      ".claude/skills/pdf/SKILL.md": SKILL,
      ".claude/skills/pdf/scripts/fill": "fill it",
      ".claude/skills/pdf/tools/run.PY": "print()",
      ".claude/skills/pdf/tools/start": "#!/bin/sh\n",
      ".claude/skills/pdf/reference.md": "See there.\r\n",
    });
    const entry = (text: string) => ({ sha256: sha256(text), as: "bytes" });
    const scripts = {
      "scripts/fill": sha256("fill it"),
      "tools/run.PY": sha256("print()"),
      "tools/start": sha256("#!/bin/sh\n"),
    };
    const rest = { "reference.md": entry("See there.\r\n") };
    const all = {
      ...rest,
      "SKILL.md": entry(SKILL),
      ...Object.fromEntries(Object.entries(scripts).map(([path, digest]) => [path, { sha256: digest, as: "bytes" }])),
    };
    expect(await readSkills(project.folder)).toEqual({
      folders: [
        {
          path: ".claude/skills/pdf",
          name: "pdf-forms",
          tree: hashCanonical({ level: "bytes", files: all }),
          text: sha256(SKILL),
          scripts,
          rest: hashCanonical({ level: "bytes", files: rest }),
          allowedTools: ["Bash(git add:*)", "Read"],
        },
      ],
      instructions: [],
    });
  });

  test.each(SKILL_FOLDERS)("is found in $path, up to three levels deep, and once", async ({ path }) => {
    using project = new Project().write({
      [`${path}/a/SKILL.md`]: SKILL,
      [`${path}/a/inner/SKILL.md`]: SKILL,
      [`${path}/b/c/d/SKILL.md`]: SKILL,
      [`${path}/e/f/g/h/SKILL.md`]: SKILL,
      [`${path}/README.md`]: "No skill.",
      [`${path}/SKILL.md`]: "No skill either.",
    });
    const { folders } = await readSkills(project.folder);
    expect(folders.map((folder) => folder.path)).toEqual([`${path}/a`, `${path}/b/c/d`]);
  });

  test("has the name of its folder where the frontmatter has none, and each list is in code-unit order", async () => {
    using project = new Project().write({
      ".agents/skills/é/SKILL.md": "Text.",
      ".agents/skills/z/SKILL.md": "Text.",
      ".agents/skills/B/SKILL.md": "Text.",
    });
    const { folders } = await readSkills(project.folder);
    expect(folders.map(({ name }) => name)).toEqual(["B", "z", "é"]);
    expect(folders[0]?.allowedTools).toEqual([]);
  });

  test("keeps a file named like a member of objects", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": "", ".agents/skills/a/scripts/__proto__": "x" });
    const { folders } = await readSkills(project.folder);
    expect(folders[0]?.scripts).toEqual({ "scripts/__proto__": sha256("x") });
  });
});

describe("instruction files", () => {
  test.each(INSTRUCTION_FILES)("$path is read, with a source for its place", async ({ path, source }) => {
    using project = new Project().write({ [path]: "Be kind.\n" });
    expect((await readSkills(project.folder)).instructions).toEqual([{ path, digest: sha256("Be kind.\n") }]);
    expect(source).toMatch(/^https:\/\//);
  });

  test("has the files that make Factory run commands, and none of one person", async () => {
    using project = new Project().write({
      ".factory/settings.json": '{"hooks":{}}',
      ".factory/settings.local.json": "{}",
      ".factory/hooks.json": "{}",
      ".factory/hooks/hooks.json": "{}",
      ".factory/hooks/check.sh": "exit 0",
      ".factory/AGENTS.md": "Be brief.",
    });
    expect((await readSkills(project.folder)).instructions.map(({ path }) => path)).toEqual([
      ".factory/AGENTS.md",
      ".factory/hooks.json",
      ".factory/hooks/check.sh",
      ".factory/hooks/hooks.json",
      ".factory/settings.json",
    ]);
  });

  test.each(INSTRUCTION_FOLDERS)("in $path are read at every depth, with a source", async ({ path, source }) => {
    const files = [`${path}/a.md`, `${path}/b/B.mdc`, `${path}/b/c/d.md`];
    using project = new Project().write(Object.fromEntries(files.map((file) => [file, file])));
    expect(await readSkills(project.folder)).toEqual({
      folders: [],
      instructions: files.map((file) => ({ path: file, digest: sha256(file) })),
    });
    expect(source).toMatch(/^https:\/\//);
  });

  test("are sorted by their paths, those of folders among the others", async () => {
    const files = [".claude/CLAUDE.md", ".claude/agents/b.md", ".cursor/rules/a.mdc", "AGENTS.md"];
    using project = new Project().write(Object.fromEntries(files.toReversed().map((file) => [file, "x"])));
    expect((await readSkills(project.folder)).instructions.map(({ path }) => path)).toEqual(files);
  });

  test("in a folder with too many entries, in one that is a file, and behind a link to a folder are errors", async () => {
    using project = new Project().write({ ".cursor/rules": "a file where a folder could be" });
    expect(await errorOf(project)).toMatchObject({ code: "unreadable", path: ".cursor/rules" });
    using linked = new Project().write({ "docs/a.md": "x", ".claude/agents/a.md": "x" });
    symlinkSync("../../docs", linked.path(".claude/agents/more"), "dir");
    expect(await errorOf(linked)).toMatchObject({ path: ".claude/agents/more" });
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, number) => [`.claude/commands/${number}.md`, ""]));
    using full = new Project().write(many);
    expect(await errorOf(full)).toMatchObject({ code: "too-large", path: ".claude/commands" });
  });

  test("none and no skills are none", async () => {
    using project = new Project().write({ ".claude": "a file where a folder could be" });
    expect(await readSkills(project.folder)).toEqual({ folders: [], instructions: [] });
  });

  test("a link within the project is read as what it leads to", async () => {
    using project = new Project().write({ "AGENTS.md": "Be kind.\n" });
    symlinkSync("AGENTS.md", project.path("CLAUDE.md"));
    const [agents, claude] = (await readSkills(project.folder)).instructions;
    expect(claude).toEqual({ path: "CLAUDE.md", digest: agents?.digest });
  });
});

describe("links of skills", () => {
  test("to a folder of the project are followed, those in a skill are hashed by their target", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL, ".agents/skills/a/data.txt": "x" });
    symlinkSync("data.txt", project.path(".agents/skills/a/link.txt"));
    symlinkSync("SKILL.md", project.path(".agents/skills/a/again.md"));
    mkdirSync(project.path(".claude/skills"), { recursive: true });
    symlinkSync("../../.agents/skills/a", project.path(".claude/skills/a"), "dir");
    const { folders } = await readSkills(project.folder);
    const [a, b] = folders;
    expect(b).toEqual({ ...a, path: ".claude/skills/a" });
    const files = {
      "again.md": { sha256: sha256("SKILL.md"), as: "symlink" },
      "data.txt": { sha256: sha256("x"), as: "bytes" },
      "link.txt": { sha256: sha256("data.txt"), as: "symlink" },
    };
    expect(a?.rest).toBe(hashCanonical({ level: "bytes", files }));
  });

  test.each([
    ["a file in a skill", ".agents/skills/a/secret", "../../../key"],
    ["a folder in a skill", ".agents/skills/a/more", "../b"],
    ["a skill", ".agents/skills/c", ".."],
    ["an instruction file", "AGENTS.md", "../outside.md"],
  ])("that leave their folder are refused: %s", async (_, link, target) => {
    using around = new Project().write({ "outside.md": "x", "project/key": "x" });
    const project = new Project();
    using _project = project;
    project.write({ key: "x", ".agents/skills/a/SKILL.md": SKILL, ".agents/skills/b/SKILL.md": SKILL });
    const leaving = link === "AGENTS.md" || link.endsWith("/c") ? around.path("outside.md") : target;
    symlinkSync(leaving, project.path(link));
    expect(await errorOf(project)).toMatchObject({ code: "outside", path: link });
  });

  test("that lead nowhere or in a circle are unreadable", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL });
    symlinkSync("circle", project.path(".agents/skills/a/circle"));
    expect(await errorOf(project)).toMatchObject({ code: "unreadable", path: ".agents/skills/a/circle" });
    using other = new Project();
    symlinkSync("nothing", other.path("CLAUDE.md"));
    expect(await errorOf(other)).toMatchObject({ code: "unreadable", path: "CLAUDE.md" });
  });

  test("that make the folder of skills contain itself end", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL });
    symlinkSync(".", project.path(".agents/skills/loop"), "dir");
    const { folders } = await readSkills(project.folder);
    expect(folders.map(({ path }) => path)).toEqual([
      ".agents/skills/a",
      ".agents/skills/loop/a",
      ".agents/skills/loop/loop/a",
    ]);
  });
});

describe("what cannot be read as a whole is an error", () => {
  test("a folder of a project that is not there", async () => {
    await expect(readSkills("no/such/folder")).rejects.toMatchObject({ code: "unreadable", path: "" });
  });

  test.skipIf(IS_WINDOWS)("a pipe in a skill, as a SKILL.md and as an instruction file", async () => {
    for (const path of [".agents/skills/a/pipe", ".agents/skills/a/SKILL.md", "AGENTS.md"]) {
      using project = new Project().write({ ".agents/skills/a/x.md": "x", ".agents/skills/b/SKILL.md": SKILL });
      if (path.endsWith("pipe")) project.write({ ".agents/skills/a/SKILL.md": SKILL });
      outputOf("mkfifo", [project.path(path)]);
      expect(await errorOf(project)).toMatchObject({ code: "not-a-file", path });
    }
  });

  test("a folder of skills that is a file, or a link to itself", async () => {
    using project = new Project().write({ ".agents/skills": "x" });
    expect(await errorOf(project)).toMatchObject({ code: "unreadable", path: ".agents/skills" });
    using other = new Project();
    symlinkSync(".agents", other.path(".agents"));
    expect(await errorOf(other)).toMatchObject({ code: "unreadable", path: ".agents/skills" });
  });

  test("a SKILL.md that is a folder", async () => {
    using project = new Project();
    mkdirSync(project.path(".agents/skills/a/SKILL.md"), { recursive: true });
    expect((await errorOf(project)).path).toBe(".agents/skills/a/SKILL.md");
  });

  test.each([
    [".agents/skills/a/SKILL.md", 1_048_577],
    [".agents/skills/a/video", 16_777_217],
    ["AGENTS.md", 1_048_577],
  ])("a file that is too long: %s", async (path, bytes) => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL, [path]: "" });
    truncateSync(project.path(path), bytes);
    expect(await errorOf(project)).toMatchObject({ code: "too-large", path });
  });

  test("a skill whose files are too long together", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL });
    for (const name of ["1", "2", "3", "4", "5"]) {
      project.write({ [`.agents/skills/a/${name}`]: "" });
      truncateSync(project.path(`.agents/skills/a/${name}`), 16_000_000);
    }
    expect(await errorOf(project)).toMatchObject({ code: "too-large", path: ".agents/skills/a" });
  });

  test("a skill, or a folder of skills, with too many files", async () => {
    using project = new Project().write({ ".agents/skills/a/SKILL.md": SKILL });
    for (let n = 0; n < 2000; n++) writeFileSync(project.path(`.agents/skills/a/${n}`), "");
    expect(await errorOf(project)).toMatchObject({ code: "too-large", path: ".agents/skills/a" });
    using other = new Project().write({ ".agents/skills/0": "" });
    for (let n = 1; n <= 2000; n++) writeFileSync(other.path(`.agents/skills/${n}`), "");
    expect(await errorOf(other)).toMatchObject({ code: "too-large", path: ".agents/skills" });
  });
});

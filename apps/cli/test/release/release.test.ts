import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createSigner, createVerifier, openStatement } from "@agentprint/statement";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { installedServer, serverScript } from "../../demo/installed-server.ts";
import { AuthorProject, note } from "../support/author-project.ts";

let project: AuthorProject;
beforeEach(() => {
  project = new AuthorProject();
});
afterEach(() => project[Symbol.dispose]());

const release = (...args: string[]) => project.run(["release", ...args]);
const KEEP = note("keep");
const STRICT = note("keep", { required: ["text"] });

describe("the version of a release", () => {
  test("is too small for a change that breaks callers, which the report proves", async () => {
    await project.release("1.2.0", [KEEP]);
    project.write("1.3.0", [STRICT, note("drop")]);
    await release("--init");
    const run = await release("--against", "v1.2.0");
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("major: 1.2.0 → 1.3.0 is too small, at least 2.0.0");
    expect(run.stdout).toContain("keep: contract changed, callers break (major)");
    expect(run.stdout).toContain("arguments {} were valid and are now rejected");
    expect(run.stdout).toContain("nothing from that release was started");
    project.write("2.0.0", [STRICT, note("drop")]);
    expect(await release("--against", "v1.2.0")).toMatchObject({ code: 0 });
  });

  test("is enough for a minor change, as JSON says", async () => {
    await project.release("1.2.0", [KEEP]);
    project.write("1.3.0", [KEEP, note("drop")]);
    await release("--init");
    const run = await release("--against", "v1.2.0", "--format", "json");
    expect(run.code).toBe(0);
    const { release: said, levels } = JSON.parse(run.stdout);
    expect(said).toMatchObject({ name: "@me/notes", last: "1.2.0", declared: "1.3.0", level: "minor", isEnough: true });
    expect(levels).toMatchObject([
      { rule: "mcp/item-added", level: "minor", breaks: false },
      { rule: "mcp/server-version-changed", level: "patch", breaks: false },
    ]);
  });

  test("may stay if nothing changed, and means nothing if it is a date", async () => {
    await project.release("2026.1.14", [KEEP]);
    expect((await release("--against", "v2026.1.14")).stdout).toContain("nothing changed");
    project.write("2026.7.4", [STRICT]);
    await release("--init");
    const run = await release("--against", "v2026.1.14");
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("The versions are dates") });
  });

  test("comes from the changesets, and --changelog adds one", async () => {
    mkdirSync(project.path(".changeset"));
    writeFileSync(project.path(".changeset/config.json"), "{}");
    writeFileSync(project.path(".changeset/README.md"), "no changeset");
    writeFileSync(project.path(".changeset/one.md"), '---\n"@me/notes": patch\n---\n\nA fix.\n');
    await project.release("1.2.0", [KEEP]);
    project.write("1.2.0", [STRICT]);
    await release("--init");
    expect((await release("--against", "v1.2.0")).stdout).toContain("1.2.0 → 1.2.1 is too small, at least 2.0.0");
    const run = await release("--against", "v1.2.0", "--changelog");
    expect(run).toMatchObject({ code: 0, stderr: "wrote .changeset/agentprint-release.md\n" });
    expect(run.stdout).toMatch(
      /^## \[2\.0\.0\] - \d{4}-\d\d-\d\d\n\n### Changed\n\n- \*\*Breaking:\*\* `keep`: contract changed/,
    );
    expect(readFileSync(project.path(".changeset/agentprint-release.md"), "utf8")).toMatch(
      /^---\n"@me\/notes": major\n---\n/,
    );
    writeFileSync(project.path(".changeset/two.md"), "no front matter");
    expect(await release("--against", "v1.2.0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(".changeset"),
    });
  });

  test("is judged for a lock of one real server and its next version", async () => {
    const script = (version: string): string => serverScript(installedServer(`server-filesystem-${version}`));
    await project.run(["pin", "--lock", "old.lock", "--name", "files", "--", "node", script("2026-1-14"), "."]);
    project.write("1.0.0", []);
    const run = await release("--against", "old.lock", "--format", "json", "--", "node", script("2026-7-4"), ".");
    expect(JSON.parse(run.stdout).levels).toMatchObject([
      { rule: "mcp/hint-more-power", level: "major", breaks: false },
    ]);
  });
});

describe("notes for the author", () => {
  test("report the token cost of the definitions by o200k_base, against the previous release, and possible improvements", async () => {
    await project.release("1.2.0", [KEEP]);
    project.write("1.3.0", [KEEP, note("drop all")]);
    await release("--init");
    const { code, stdout } = await release("--against", "v1.2.0", "--format", "json");
    expect(code).toBe(0);
    const { cost, findings } = JSON.parse(stdout);
    const tokens = cost.tools.keep.tokens + cost.tools["drop all"].tokens;
    expect(cost).toMatchObject({ encoding: "o200k_base", tokens, instructions: { bytes: 0, tokens: 0 } });
    expect(cost.tools.keep.tokens).toBe(42);
    const notes = findings.filter(({ section }: { section?: string }) => section === "For the author");
    expect(notes.map(({ rule, place }: { rule: string; place: { tool?: string } }) => [rule, place.tool])).toEqual([
      ["release/context-cost", undefined],
      ["release/tool-name", "drop all"],
      ["release/no-hints", "drop all"],
      ["release/no-hints", "keep"],
    ]);
    const [{ message, note: byTool }] = notes;
    expect(message).toContain(`${tokens} tokens of o200k_base of a model's context, ${tokens - 42} more than before`);
    expect(byTool).toMatch(/^Tokens by tool: drop all \d+, new; keep 42$/);
  });

  test("count text that looks like a special token as text", async () => {
    await project.release("1.2.0", [{ ...KEEP, description: "<|endoftext|>" }]);
    expect(await release("--against", "v1.2.0")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("the statement of a release", () => {
  const FILE = "agentprint.statement.json";
  const statement = (...args: string[]) =>
    release("--against", "v1.2.0", "--statement", FILE, "--key", "author.pem", ...args);
  const read = () => {
    const key = createVerifier(createSigner(readFileSync(project.path("author.pem"), "utf8")).publicKey);
    return openStatement(readFileSync(project.path(FILE)), [key]);
  };
  beforeEach(async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(project.path("author.pem"), privateKey.export({ format: "pem", type: "pkcs8" }));
    await project.release("1.2.0", [KEEP]);
  });

  test("is signed where the version is enough, and follows the one in the file", async () => {
    const first = await release("--against", "v1.2.0", "--statement", FILE, "--key", "author.pem", "--expires", "1d");
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(`wrote ${FILE}: it follows no other`) });
    const before = read();
    const { issued, expires } = before.statement.predicate;
    expect(Date.parse(expires) - Date.parse(issued)).toBe(86_400_000);

    project.write("1.3.0", [STRICT]);
    await release("--init");
    expect(await statement()).toMatchObject({ code: 1, stderr: "" });
    expect(read()).toEqual(before);

    project.write("2.0.0", [STRICT]);
    expect(await statement()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("it follows the one of 1.2.0"),
    });
    const { predicate } = read().statement;
    expect(predicate).toMatchObject({
      server: { name: "@me/notes", version: "2.0.0" },
      verdict: { level: "major", against: { version: "1.2.0", statement: { sha256: before.digest } } },
    });
    expect(await statement()).toMatchObject({ code: 0 });
    expect(read().statement.predicate.verdict).toEqual(predicate.verdict);
    project.write("1.9.0", [KEEP]);
    await release("--init");
    expect(await statement()).toMatchObject({ code: 1, stderr: expect.stringContaining("which is later") });
  });

  test("needs a readable key, and a file without a statement of someone else", async () => {
    expect(await release("--statement", FILE)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--key <file>"),
    });
    writeFileSync(project.path(FILE), "{}");
    expect(await statement()).toMatchObject({ code: 2, stderr: expect.stringContaining(`${FILE} at /payloadType`) });
    writeFileSync(project.path("author.pem"), "secret");
    const refused = await statement();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not a private Ed25519 key") });
    expect(refused.stderr).not.toContain("secret");
  });
});

describe("a declared rename", () => {
  test("is reported as a rename, and is major", async () => {
    await project.release("1.2.0", [KEEP]);
    project.write("2.0.0", [{ ...STRICT, name: "store", description: "Another text" }]);
    writeFileSync(project.path("agentprint.aliases.json"), '{ "tools": { "keep": "store" } }');
    await release("--init");
    const run = await release("--against", "v1.2.0");
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("renamed from keep, as declared") });
    writeFileSync(project.path("agentprint.aliases.json"), '{ "tools": { "keep": 1 } }');
    const wrong = await release("--against", "v1.2.0");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("agentprint.aliases.json at /tools/keep") });
  });
});

describe("the snapshot", () => {
  test("is written with a job and a badge, and keeps an existing job", async () => {
    project.write("1.0.0", [KEEP]);
    const run = await release("--init", "--env", "TERM", "--", "node", "server.cjs");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("actions/workflows/agentprint-release.yml/badge.svg");
    const workflow = parse(readFileSync(project.path(".github/workflows/agentprint-release.yml"), "utf8"));
    expect(workflow).toMatchObject({ name: "agentprint release", on: { pull_request: null } });
    const names = workflow.jobs.check.steps.map((step: { name?: string; uses?: string }) => step.name ?? step.uses);
    const text = readFileSync(project.path(".github/workflows/agentprint-release.yml"), "utf8");
    expect(text.match(/Written by .*/g)).toEqual([expect.stringContaining("release --init")]);
    expect(names.slice(-2)).toEqual(["Build the server", "Compare with the previous release"]);
    expect(workflow.jobs.check.steps.at(-1)).toMatchObject({
      run: expect.stringMatching(
        / release --format github --also "markdown=\$GITHUB_STEP_SUMMARY" -- node server\.cjs\n$/,
      ),
      env: { TERM: ["$", "{{ secrets.TERM }}"].join("") },
    });
    const [entry] = JSON.parse(readFileSync(project.path("agentprint.server.lock"), "utf8")).servers;
    expect(entry).toMatchObject({ name: "notes" });
    expect(entry).not.toHaveProperty("files");
    writeFileSync(project.path(".github/workflows/agentprint-release.yml"), "mine");
    expect((await release("--init")).stdout).toContain("kept .github/workflows/agentprint-release.yml");
    expect(readFileSync(project.path(".github/workflows/agentprint-release.yml"), "utf8")).toBe("mine");
  });

  test("that is not the tools of the working tree is an error; another version alone is none", async () => {
    await project.release("1.2.0", [KEEP]);
    project.write("1.3.0", [KEEP]);
    expect(await release("--against", "v1.2.0")).toMatchObject({ code: 0 });
    project.write("1.3.0", [KEEP, note("drop")]);
    const run = await release("--against", "v1.2.0", "--markdown");
    expect(run).toMatchObject({ code: 1, stdout: expect.stringMatching(/^## agentprint release\n/) });
    expect(run.stdout).toContain("the snapshot does not match the tools of the working tree");
    expect(run.stdout).toContain("to rewrite it, run: agentprint release");
  });
});

describe("cannot tell", () => {
  test.each([
    { when: "a commit has no snapshot", args: ["--against", "HEAD"], says: "HEAD has no agentprint.server.lock" },
    { when: "there is no such commit", args: ["--against", "v9.9.9"], says: "Git knows no commit v9.9.9" },
    {
      when: "the command is before --",
      args: ["node", "server.cjs"],
      says: "the command of the server comes after --",
    },
    { when: "the server does not start", args: ["--", "no-such-program"], says: "no-such-program" },
  ])("$when", async ({ args, says }) => {
    project.write("1.0.0", [KEEP]);
    project.repository.commit();
    expect(await release(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
  });

  test("no file declares a package, or defines how it is started", async () => {
    expect(await release()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("declares a name and a version"),
    });
    writeFileSync(project.path("server.json"), '{ "name": "io.github.me/notes", "version": "1.0.0" }');
    expect(await release()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("server.json does not say how"),
    });
    project.write("1.0.0", [KEEP]);
    rmSync(project.path("package.json"));
    const own = await release("--", "node", "server.cjs");
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining("it is unknown where the releases of") });
    writeFileSync(project.path("package.json"), "{");
    expect(await release()).toMatchObject({ code: 2, stderr: expect.stringContaining("package.json") });
    expect(existsSync(project.path("agentprint.server.lock"))).toBe(false);
  });
});

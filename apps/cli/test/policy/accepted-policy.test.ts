import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hashCanonical } from "@agentprint/canonical-json";
import { formatLock, parseLock, withPolicy } from "@agentprint/mcp-lock";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { runInTerminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const [before, after] = [{ HOSTILE_TEXT: "before" }, { HOSTILE_TEXT: "after" }];
const PIN = ["pin", "--name", "it", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
const LENIENT = { preset: "breaking", rules: { "mcp/item-removed": "off" } } as const;
const LENIENT_PAYLOAD = { preset: "breaking", rules: { "mcp/item-removed": { check: "off" } } };

let pinned: string;
beforeAll(async () => {
  using first = new Workspace();
  await first.run(PIN, before);
  pinned = first.lockText();
});

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
  writeFileSync(workspace.path("agentprint.lock"), pinned);
});
afterEach(() => workspace[Symbol.dispose]());

const configure = (policy: object, file = "agentprint.config.json") =>
  writeFileSync(workspace.path(file), JSON.stringify(policy, null, 2));
/** Writes a lock that holds this policy payload. */
const accept = (payload: Parameters<typeof withPolicy>[1]) =>
  writeFileSync(workspace.path("agentprint.lock"), formatLock(withPolicy(parseLock(pinned), payload)));
const check = (...args: readonly string[]) => workspace.run(["check", ...args], after);
const approve = (...args: readonly string[]) => workspace.run(["approve", "--policy", ...args]);

describe("pin", () => {
  test("writes the policy of the configuration into a new lock, and into no other", async () => {
    rmSync(workspace.path("agentprint.lock"));
    configure(LENIENT);
    expect(await workspace.run(PIN, before)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^note: agentprint\.lock holds the policy next to it as the accepted one\n/),
    });
    const policy = { digest: hashCanonical(LENIENT_PAYLOAD), policy: LENIENT_PAYLOAD };
    expect(workspace.lock()).toEqual({ ...parseLock(pinned), lockVersion: 2, policy });

    configure({});
    for (const args of [
      [...PIN.slice(0, 3), "--name", "two", "--", ...hostile("terminal-escapes")],
      ["remove", "two"],
    ]) {
      const { code, stderr } = await workspace.run(args, before);
      expect([code, stderr.includes("as the accepted one")]).toEqual([0, false]);
      expect(workspace.lock().policy).toEqual(policy);
    }
    const approved = await workspace.run(["approve", "it", "--yes"], after);
    expect([approved.code, workspace.lock().policy]).toEqual([0, policy]);
  });

  test("writes the same bytes as before without a configuration, and nothing where it is invalid", async () => {
    rmSync(workspace.path("agentprint.lock"));
    configure({ preset: "lax" });
    expect(await workspace.run(PIN, before)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("invalid-config"),
    });
    rmSync(workspace.path("agentprint.config.json"));
    await workspace.run(PIN, before);
    expect(workspace.lockText()).toBe(pinned);
  });
});

describe("check, against the policy that the lock holds", () => {
  test("reports nothing for the present policy, and a note where the lock holds none", async () => {
    configure(LENIENT);
    accept(LENIENT_PAYLOAD);
    expect(await check()).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(workspace.path("agentprint.lock"), pinned);
    const { code, stderr } = await check();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "note: agentprint.lock holds no accepted policy, so a weaker one goes unnoticed: agentprint approve --policy accepts agentprint.config.json\n",
    });
    rmSync(workspace.path("agentprint.config.json"));
    expect((await check()).stderr).toBe("");
  });

  test("reports a weaker policy first, and judges by the accepted one", async () => {
    configure(LENIENT);
    accept({ preset: "compatible" });
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain("the policy is weaker than the accepted one");
    expect(stdout).toMatch(/^agentprint\.config\.json\n {2}error {2}the policy is weaker: /);
    const line = `To accept this policy after review, run: agentprint approve --policy --expect ${hashCanonical(LENIENT_PAYLOAD)}\n`;
    expect(stdout).toContain(line);
    const { findings } = JSON.parse((await check("--format", "json")).stdout);
    const rules = findings.map(({ rule }: { rule: string }) => rule);
    expect(rules.slice(0, 2)).toEqual(["policy/weakened", "policy/weakened"]);
    // The configuration's policy would have left this finding out.
    expect(findings).toContainEqual(expect.objectContaining({ rule: "mcp/item-removed", level: "error" }));
    expect(findings[0]).toMatchObject({
      level: "error",
      place: {
        subject: "agentprint.config.json",
        pointer: "/rules/mcp~1item-removed",
        location: { file: "agentprint.config.json", line: 4 },
      },
      after: { check: "off" },
      note: "Compared with the policy of agentprint.lock",
    });
    for (const format of ["markdown", "sarif", "junit", "github"]) {
      expect((await check("--format", format)).stdout, format).toMatch(/policy is weaker/);
    }
  });

  test("has no option to ignore that, and ends 1 although no server changed", async () => {
    accept({ preset: "compatible" });
    const calm = () => workspace.run(["check"], before);
    configure({ preset: "compatible", ignores: [{ rule: "mcp/item-added", until: "2999-12-31", reason: "agreed" }] });
    expect(await calm()).toMatchObject({ code: 1, stdout: expect.stringContaining("/ignores/0") });
    for (const config of [
      { rules: { "policy/weakened": "off" } },
      { ignores: [{ rule: "policy/weakened", until: "2999-12-31", reason: "agreed" }] },
    ]) {
      configure(config);
      expect((await calm()).code).toBe(2);
    }
    configure({ preset: "compatible", failOn: "error" });
    expect((await calm()).code).toBe(0);
  });

  test("is exit code 2 where a server could not be read, too", async () => {
    accept({ preset: "compatible" });
    configure(LENIENT);
    const { code, stdout } = await workspace.run(["check", "it", "--", ...hostile("never-answers")], after, {
      connectTimeout: 1000,
    });
    expect(code).toBe(2);
    expect(stdout).toContain("the policy is weaker: ");
  });

  test("compares with the preset strict where the configuration is gone, or the lock holds it", async () => {
    accept({ servers: { it: { calls: { read: { deny: true } } } } });
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining("the policy is weaker: ") });
    accept({});
    configure({ preset: "breaking" });
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining("the policy is weaker: ") });
  });

  test("passes a stricter one with a note", async () => {
    accept({ ...LENIENT_PAYLOAD, rules: { ...LENIENT_PAYLOAD.rules, "mcp/item-added": { check: "off" } } });
    configure(LENIENT);
    const { code, stdout } = await check("--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).findings.at(-1)).toMatchObject({
      rule: "policy/strengthened",
      level: "note",
      isRemark: true,
      place: { subject: "agentprint.lock" },
      message: expect.stringMatching(/^the policy is stricter than the accepted one, in which /),
    });
  });

  test("ends 2 where this version cannot read the accepted policy, or its digest is wrong", async () => {
    accept({ rules: { "mcp/of-another-version": { check: "off" } } });
    const unknown = await check();
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/agentprint\.lock, at \/policy\/policy\/rules\/mcp~1of-another-version/);
    expect(await approve("--yes")).toMatchObject({ code: 0 });
    expect(workspace.lock().policy?.policy).toEqual({});
    accept({ preset: "compatible" });
    const text = workspace.lockText().replace('"preset": "compatible"', '"preset": "breaking"');
    writeFileSync(workspace.path("agentprint.lock"), text);
    expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining("at /policy/digest") });
  });
});

describe("approve --policy", () => {
  beforeEach(() => {
    accept({ preset: "compatible", rules: { "mcp/item-added": { check: "off" } } });
    configure(LENIENT);
  });
  const accepted = () => workspace.lock().policy?.policy;

  test("shows both directions, and asks", async () => {
    const text = workspace.lockText();
    const asked = await runInTerminal(
      ["approve", "--policy"],
      [["Accept this policy in agentprint.lock? [y/N] ", "n"]],
      {
        cwd: workspace.folder,
      },
    );
    expect(asked).toMatchObject({ code: 1, unasked: [] });
    expect(asked.stdout).toContain("the policy is weaker");
    expect(asked.stdout).toContain("the policy is stricter");
    expect(workspace.lockText()).toBe(text);
    await runInTerminal(["approve", "--policy"], [["[y/N] ", "y"]], { cwd: workspace.folder });
    expect(accepted()).toEqual(LENIENT_PAYLOAD);
    expect(await check()).toMatchObject({ code: 0, stderr: "" });
    expect((await approve("--yes")).stderr).toContain("agentprint.lock holds this policy already");
    expect(parseLock(readFileSync(workspace.path("agentprint.lock"))).servers).toEqual(parseLock(text).servers);
  });

  test("accepts in scripts the policy that was reviewed, and no other", async () => {
    const unasked = await approve();
    expect(unasked.code).toBe(2);
    const line = /run: agentprint (approve --policy --expect [0-9a-f]{64})\n/.exec(unasked.stderr)?.[1] ?? "";
    expect(line).toContain(hashCanonical(LENIENT_PAYLOAD));
    configure({ preset: "breaking" });
    expect(await workspace.run(line.split(" "))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not the policy that was reviewed"),
    });
    expect(accepted()).not.toHaveProperty("preset", "breaking");
    configure(LENIENT);
    expect((await workspace.run(line.split(" "))).code).toBe(0);
    expect(accepted()).toEqual(LENIENT_PAYLOAD);
    const { stdout } = await approve("--format", "json", "--yes");
    expect(stdout).toBe("");
  });

  test("compares with strict where the lock holds none, and accepts the preset strict without a configuration", async () => {
    writeFileSync(workspace.path("agentprint.lock"), pinned);
    const first = await approve("--yes");
    expect(first.stderr).toContain(
      "note: agentprint.lock holds no policy yet: the policy is compared with the preset strict",
    );
    expect(first.stdout).toContain("the policy is weaker: ");
    rmSync(workspace.path("agentprint.config.json"));
    expect((await approve("--yes", "--format", "json")).code).toBe(0);
    expect(accepted()).toEqual({});
  });

  test.each([["it"], ["it", "--", "node"], ["--all"], ["--url", "https://example.com"], ["--from", "report.json"]])(
    "takes no server: %s %s %s",
    async (...args) => {
      expect(await approve(...args.filter(Boolean))).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("--policy accepts the policy and nothing else"),
      });
    },
  );

  test("needs a lock, and a policy that can be read", async () => {
    configure({ preset: "lax" });
    expect(await approve("--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining("invalid-config") });
    rmSync(workspace.path("agentprint.lock"));
    expect(await approve("--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining("missing-lock") });
  });
});

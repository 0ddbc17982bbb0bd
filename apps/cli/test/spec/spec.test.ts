import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprintSpec, hashSpec } from "@agentprint/drover";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "agentprint-spec-"));
afterAll(() => rmSync(folder, { recursive: true }));

const recorded = { id: "writer", systemPrompt: "Mode: Aa.\nBe brief.", tools: ["read"] };
const collided = { ...recorded, systemPrompt: "Mode: BB.\nBe brief." };
const edited = { ...recorded, systemPrompt: "Mode: Aa.\nBe long." };
const save = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
save("recorded.json", recorded);
save("collided.json", collided);
save("edited.json", edited);
save("fingerprint.json", fingerprintSpec(recorded));
save("broken.json", { id: "writer" });
save("short.json", { sha256: "x" });
save("odd.json", { ...fingerprintSpec(recorded), fields: { id: "1" } });
save("plugged.json", { ...recorded, plugins: [{ id: "p" }] });
// The first rule recorded all fields of a spec except an inputSchema that was a function with `toJSON`.
const withSchema = { ...recorded, inputSchema: { domain: "object" } };
const { version: _version, ...firstRule } = fingerprintSpec(recorded);
save("with-schema.json", withSchema);
save("with-schema-edited.json", { ...edited, inputSchema: { domain: "object" } });
save("first-rule.json", { ...firstRule, spec32: hashSpec(withSchema) });
save("first-rule-plain.json", firstRule);
save("later-rule.json", { ...fingerprintSpec(recorded), version: 4 });
save("schema.json", { ...recorded, outputSchema: { type: "string", "~standard": { version: 1, vendor: "valibot" } } });

const run = (...args: string[]) => runCli(["spec", ...args], { cwd: folder });

describe("agentprint spec hash", () => {
  test("prints the 32-bit hash, and the fingerprint as JSON", async () => {
    expect(await run("hash", "recorded.json")).toEqual({ code: 0, stdout: `${hashSpec(recorded)}\n`, stderr: "" });
    const { stdout } = await runCli(["spec", "hash", "-", "--format", "json"], { stdin: JSON.stringify(recorded) });
    expect(JSON.parse(stdout)).toEqual(fingerprintSpec(recorded));
    const other = await run("hash", "recorded.json", "--coverage", "codeV5");
    expect(other.stdout).toBe(`${hashSpec(recorded, { coverage: "codeV5" })}\n`);
  });

  test("names the fault of a spec, and its place", async () => {
    const { code, stdout, stderr } = await run("hash", "broken.json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("broken.json at /systemPrompt");
    const duplicate = await runCli(["spec", "hash", "-"], { stdin: '{"id":"a","id":"b","systemPrompt":"p"}' });
    expect(duplicate).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("agentprint spec diff", () => {
  test("shows the values and lines that differ", async () => {
    const { code, stdout } = await run("diff", "recorded.json", "edited.json");
    expect(code).toBe(1);
    expect(stdout).toContain("/systemPrompt");
    expect(stdout).toContain("Be brief.");
    expect(stdout).toContain("Be long.");
    expect(stdout).not.toContain("Mode: Aa.");
  });

  test("is fine with equal specs, and names the fields against a fingerprint", async () => {
    expect(await run("diff", "recorded.json", "recorded.json")).toMatchObject({ code: 0 });
    const { code, stdout } = await run("diff", "fingerprint.json", "edited.json", "--format", "json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).changes).toEqual([{ field: "systemPrompt", kind: "changed" }]);
  });

  test("points into the spec, not into the hashed text", async () => {
    for (const before of ["recorded.json", "fingerprint.json"]) {
      const { code, stdout } = await run("diff", before, "plugged.json");
      expect(code).toBe(1);
      expect(stdout).toContain("/plugins");
      expect(stdout).not.toContain("/pluginIds");
    }
  });

  test("has no verdict where a spec cannot be hashed, and names it", async () => {
    const second = await run("diff", "recorded.json", "broken.json");
    expect(second).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("broken.json at /systemPrompt"),
    });
    const first = await run("diff", "broken.json", "recorded.json");
    expect(first).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("broken.json at /systemPrompt"),
    });
  });
});

describe("agentprint spec check", () => {
  test("compares with the recorded hash", async () => {
    const hash = hashSpec(recorded);
    expect(await run("check", "recorded.json", "--hash", hash)).toMatchObject({ code: 0 });
    expect(await run("check", "edited.json", "--hash", hash)).toMatchObject({ code: 1 });
    expect(await run("check", "collided.json", "--hash", hash)).toMatchObject({ code: 0 });
  });

  test("uses a fingerprint to decide", async () => {
    const { code, stdout } = await run("check", "collided.json", "--fingerprint", "fingerprint.json");
    expect(code).toBe(1);
    expect(stdout).toContain("systemPrompt");
    expect(await run("check", "recorded.json", "--fingerprint", "fingerprint.json")).toMatchObject({ code: 0 });
  });

  test.each(["short.json", "odd.json"])("has no verdict with a malformed fingerprint: %s", async (fingerprint) => {
    for (const args of [
      ["check", "recorded.json", "--fingerprint", fingerprint],
      ["diff", fingerprint, "recorded.json"],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(fingerprint);
      expect(stderr).toContain("invalid-spec");
      expect(stderr).not.toContain("defect");
    }
  });

  test("compares a fingerprint without a version by the first rule", async () => {
    expect(await run("check", "recorded.json", "--fingerprint", "first-rule-plain.json")).toMatchObject({ code: 0 });
    const { code, stdout } = await run("check", "edited.json", "--fingerprint", "first-rule-plain.json");
    expect([code, stdout.includes("systemPrompt")]).toEqual([1, true]);
  });

  test.each([
    ["first-rule.json", "with-schema.json", ["inputSchema"], []],
    ["first-rule.json", "with-schema-edited.json", [], ["inputSchema", "systemPrompt"]],
    ["later-rule.json", "recorded.json", Object.keys(firstRule.fields), []],
  ])(
    "cannot tell where the rules of two versions differ, and names the fields: %s, %s",
    async (before, after, undecided, changed) => {
      for (const args of [
        ["check", after, "--fingerprint", before],
        ["diff", before, after],
      ]) {
        const { code, stdout } = await run(...args, "--format", "json");
        const { drifted, changes, ...diff } = JSON.parse(stdout);
        expect(changes.map(({ field }: { field: string }) => field).sort()).toEqual(changed);
        expect([code, drifted, diff.undecided]).toEqual(changed.length > 0 ? [1, true, []] : [2, "unknown", undecided]);
        if (code === 2)
          expect((await run(...args)).stdout).toContain(
            `cannot tell whether these fields changed: ${undecided.join(", ")}`,
          );
      }
    },
  );

  test("has no verdict on a schema that JSON keeps only in part", async () => {
    for (const args of [["hash"], ["check", "--fingerprint", "fingerprint.json"]]) {
      const { code, stdout, stderr } = await run(args[0]!, "schema.json", ...args.slice(1));
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("schema.json at /outputSchema");
    }
  });

  test("reports the parts that no hash covers", async () => {
    const { code, stdout } = await run(
      "check",
      "plugged.json",
      "--hash",
      hashSpec({ ...recorded, plugins: [{ id: "p" }] }),
    );
    expect([code, stdout.includes("/plugins")]).toEqual([0, true]);
  });

  test("needs something to check against", async () => {
    expect(await run("check", "recorded.json")).toMatchObject({ code: 2, stdout: "" });
    expect(await run("check", "recorded.json", "--hash", "6D83")).toMatchObject({ code: 2, stdout: "" });
  });
});

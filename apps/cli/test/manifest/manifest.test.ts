import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { hashManifest, parseManifest } from "@agentprint/manifest";
import { FORMATS } from "@agentprint/report";
import { describe, expect, test } from "vitest";
import { Workspace } from "../support/workspace.ts";

type Manifest = { agent_version: string; tools: { name: string; timeout_ms?: number }[]; [field: string]: unknown };

async function withManifest(run: (workspace: Workspace, manifest: Manifest) => Promise<void>): Promise<void> {
  using workspace = new Workspace();
  expect(await workspace.run(["manifest", "init", "a.json"])).toMatchObject({ code: 0, stderr: "" });
  await run(workspace, JSON.parse(readFileSync(workspace.path("a.json"), "utf8")));
}

function write(workspace: Workspace, name: string, value: unknown): void {
  writeFileSync(workspace.path(name), typeof value === "string" ? value : JSON.stringify(value, null, 2));
}

describe("agentprint manifest", () => {
  test("starts with a valid manifest and never overwrites one", () =>
    withManifest(async (workspace, manifest) => {
      expect(await workspace.run(["manifest", "validate", "a.json"])).toMatchObject({ code: 0, stderr: "" });
      expect(await workspace.run(["manifest", "init", "a.json"])).toMatchObject({ code: 2, stdout: "" });
      const { stdout } = await workspace.run(["manifest", "hash", "a.json"]);
      expect(stdout).toBe(`${hashManifest(manifest as never)}\n`);
    }));

  test("reports every problem with its place, in every format", () =>
    withManifest(async (workspace, manifest) => {
      write(workspace, "b.json", { ...manifest, schema_version: "2.0", "\u001b[31m": 1 });
      for (const format of FORMATS) {
        const { code, stdout } = await workspace.run(["manifest", "validate", "b.json", "--format", format]);
        expect([format, code, /UNSUPPORTED\\?_SCHEMA\\?_VERSION/.test(stdout)]).toEqual([format, 1, true]);
        expect(stdout).not.toContain("\u001b");
      }
      const { stdout } = await workspace.run(["manifest", "validate", "b.json", "--format", "github"]);
      expect(stdout).toContain("file=b.json,line=2,col=21");
    }));

  test("distinguishes unreadable from refused manifests", () =>
    withManifest(async (workspace) => {
      write(workspace, "b.json", '{"a": 1, "a": 2}');
      expect((await workspace.run(["manifest", "validate", "b.json"])).code).toBe(1);
      for (const args of [
        ["validate", "none.json"],
        ["hash", "b.json"],
        ["diff", "a.json", "b.json"],
        ["diff", "b.json", "a.json"],
      ]) {
        expect(await workspace.run(["manifest", ...args])).toMatchObject({ code: 2, stdout: "" });
      }
    }));

  test("names the breaking changes of the next version, and the version number that follows", () =>
    withManifest(async (workspace, manifest) => {
      const [tool] = manifest.tools;
      const bump = async (): Promise<string> => (await workspace.run(["manifest", "bump", "a.json", "b.json"])).stdout;
      const diff = () => workspace.run(["manifest", "diff", "a.json", "b.json", "--format", "json"]);
      write(workspace, "b.json", manifest);
      expect([(await diff()).code, await bump()]).toEqual([0, "0.1.0\n"]);
      write(workspace, "b.json", { ...manifest, tools: [...manifest.tools, { ...tool, name: "more" }] });
      expect([(await diff()).code, await bump()]).toEqual([0, "0.2.0\n"]);
      write(workspace, "b.json", { ...manifest, tools: [{ ...tool, timeout_ms: 5 }] });
      expect([(await diff()).code, await bump()]).toEqual([1, "0.1.1\n"]);
      write(workspace, "b.json", { ...manifest, tools: [] });
      expect([(await diff()).code, await bump()]).toEqual([1, "1.0.0\n"]);
      expect((await workspace.run(["manifest", "bump", "a.json", "b.json", "--write"])).stdout).toBe("1.0.0\n");
      expect(readFileSync(workspace.path("b.json"), "utf8")).toBe(
        JSON.stringify({ ...manifest, agent_version: "1.0.0", tools: [] }, null, 2),
      );
    }));

  test("uses the levels of a configuration, and its ignores until they expire", () =>
    withManifest(async (workspace, manifest) => {
      write(workspace, "b.json", { ...manifest, tools: [] });
      const code = async (config: unknown): Promise<number | null> => {
        write(workspace, "agentprint.config.json", config);
        return (await workspace.run(["manifest", "diff", "a.json", "b.json"])).code;
      };
      expect(await code({ rules: { "manifest/tool_removed": "note" } })).toBe(0);
      expect(await code({ rules: { "manifest/tool_removed": "off" } })).toBe(0);
      const ignore = { rule: "manifest/tool_removed", path: "/tools/0", reason: "agreed" };
      expect(await code({ ignores: [{ ...ignore, until: "2999-12-31" }] })).toBe(0);
      expect(await code({ ignores: [{ ...ignore, until: "2020-01-01" }] })).toBe(1);
      expect(await code({ ignores: [{ ...ignore, path: "/tools/1", until: "2999-12-31" }] })).toBe(1);
      expect(await code({ rules: { "manifest/UNKNOWN_SCOPE": "off" } })).toBe(2);
      expect(await code({ ignores: [{ ...ignore, until: "soon" }] })).toBe(2);
      expect(await code("{")).toBe(2);
    }));

  test("keeps the text of a finding whose ignore has expired", () =>
    withManifest(async (workspace, manifest) => {
      const scopes = manifest["permission_scopes"] as object[];
      write(workspace, "b.json", { ...manifest, permission_scopes: scopes.map((s) => ({ ...s, sensitivity: "low" })) });
      const ignore = { rule: "manifest/permission_scope_changed", until: "2020-01-01", reason: "agreed" };
      write(workspace, "agentprint.config.json", { ignores: [ignore] });
      const { code, stdout } = await workspace.run(["manifest", "diff", "a.json", "b.json"]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/weakens consent: .*; ignored until 2020-01-01 \(agreed\); that day is past/);
    }));

  test("explains every rule that it lists", async () => {
    using workspace = new Workspace();
    const rules = JSON.parse((await workspace.run(["rules", "--format", "json"])).stdout);
    expect(Object.keys(rules).length).toBeGreaterThan(40);
    expect((await workspace.run(["rules"])).stdout).toContain("manifest/UNKNOWN_SCOPE");
    expect((await workspace.run(["explain", "manifest/tool_removed"])).stdout).toContain(
      rules["manifest/tool_removed"].help,
    );
    expect((await workspace.run(["explain", "UNKNOWN_SCOPE"])).stdout).toContain("always an error");
    expect((await workspace.run(["explain", "nothing"])).code).toBe(2);
  });

  test("makes a valid manifest from a real server", async () => {
    using workspace = new Workspace();
    const server = createRequire(import.meta.url).resolve("server-everything-2026-8-31/package.json");
    const { bin } = JSON.parse(readFileSync(server, "utf8"));
    const main = join(dirname(server), String(Object.values(bin)[0]));
    const run = await workspace.run(["manifest", "from-mcp", "--", process.execPath, main, "stdio"]);
    const parsed = parseManifest(run.stdout);
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && parsed.manifest.tools.length).toBeGreaterThan(5);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/renamed to|additionalProperties/);
    expect((await workspace.run(["manifest", "from-mcp"])).code).toBe(2);
  });
});

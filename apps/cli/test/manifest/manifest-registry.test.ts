import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { hashManifest, parseManifest } from "@agentprint/manifest";
import { listening } from "@agentprint/testing/oauth/listen";
import { outputOf } from "@agentprint/testing/programs";
import { environmentOf, startProcess } from "@agentprint/testing/registry-process";
import { killServices, type ServiceProcess } from "@agentprint/testing/service-process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../src/run-program.ts";
import { Collector, memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const REGISTRY = fileURLToPath(new URL("../../../registry/src/main.ts", import.meta.url));

let workspace: Workspace;
let registry: ServiceProcess;
let env: Record<string, string>;
beforeAll(async () => {
  workspace = new Workspace();
  const settings = { database: `file:${workspace.path("registry.db")}` };
  const args = ["--conditions=@agentprint/source", REGISTRY, "keys", "issue", "--every-agent"];
  const token = outputOf(process.execPath, args, {
    env: environmentOf(settings),
    stdio: ["ignore", "pipe", "ignore"],
  });
  env = { AGENTPRINT_PUBLISH_TOKEN: token.trim() };
  registry = await startProcess(settings);
  await workspace.run(["manifest", "init", "manifest.json"]);
});
afterAll(() => {
  killServices();
  workspace[Symbol.dispose]();
});

const manifest = (...args: string[]) => workspace.run(["manifest", ...args, "--registry", registry.url], env);
const publish = (file: string, ...args: string[]) => manifest("publish", file, "--agent", "demo", ...args);

/** Writes the first manifest with some properties replaced. */
function write(name: string, members: object): void {
  const first = JSON.parse(readFileSync(workspace.path("manifest.json"), "utf8"));
  writeFileSync(workspace.path(name), JSON.stringify({ ...first, ...members }, null, 2));
}

test("a pull has one deadline for all of its requests and pauses", async () => {
  // Each answer arrives before the request's deadline, and asks the client to retry.
  let asked = 0;
  const slow = createServer((_request, response) => {
    asked++;
    response.writeHead(503, { "retry-after": "1" }).end();
  });
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const pulled = await workspace.run(["manifest", "pull", "--registry", url, "--agent", "demo", "--timeout", "2"]);
  expect(pulled).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("within 2 s") });
  expect(asked).toBe(2);
  slow.close();
  slow.closeAllConnections();
});

describe("agentprint manifest publish", () => {
  test("adds an agent, publishes a version that breaks nothing, and no version twice", async () => {
    expect(await publish("manifest.json")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/AGENT_NOT_FOUND.*--create/s),
    });
    expect(await publish("manifest.json", "--create", "--dry-run")).toMatchObject({ code: 2 });
    expect(await publish("manifest.json", "--create")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("published as version 1 of demo"),
    });
    expect((await publish("manifest.json")).stdout).toContain("not published: it is already version 1 of demo");
    write("enabled.json", { agent_version: "0.2.0" });
    const { code, stdout } = await publish("enabled.json", "--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "same",
      publication: "published",
      agent_id: "demo",
      capability_manifest_version: 2,
    });
  });

  test("publishes a breaking version only if it is accepted", async () => {
    write("weak.json", { tools: [] });
    const refused = await publish("weak.json");
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("tool_removed") });
    expect(refused.stdout).toContain("not published");
    expect(await publish("weak.json", "--dry-run")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("would be version 3 of demo"),
    });
    expect(await publish("weak.json", "--accept")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("published as version 3 of demo"),
    });
  });

  test("shows the warnings of validate in every format, and refuses none of them unless the policy names its rule", async () => {
    write("loud.json", { capability_flags: { supports_voice: true }, agent_version: "3.0.0" });
    const validated = JSON.parse(
      (await workspace.run(["manifest", "validate", "loud.json", "--format", "json"])).stdout,
    );
    expect(validated.warnings).toHaveLength(1);
    for (const [args, outcome] of [
      [["--agent", "loud", "--create"], "published as version 1"],
      [["--agent", "loud"], "not published: it is already version 1"],
      [["--agent", "demo", "--dry-run"], "would be version 4"],
    ] as const) {
      for (const format of ["text", "json", "markdown", "sarif", "junit", "github"]) {
        const { stdout } = await manifest("publish", "loud.json", ...args, "--format", format);
        expect([format, stdout]).toEqual([format, expect.stringContaining("supports voice yet")]);
      }
      const { stdout } = await manifest("publish", "loud.json", ...args, "--format", "json");
      expect(JSON.parse(stdout).warnings).toEqual(validated.warnings);
      if (outcome.startsWith("published")) continue;
      expect((await manifest("publish", "loud.json", ...args)).stdout).toContain(outcome);
    }
    writeFileSync(
      workspace.path("strict.json"),
      JSON.stringify({ rules: { "manifest/UNAVAILABLE_CAPABILITY": "error" } }),
    );
    write("loud2.json", { capability_flags: { supports_voice: true }, agent_version: "3.0.1" });
    expect((await manifest("publish", "loud2.json", "--agent", "loud", "--config", "strict.json")).code).toBe(1);
    expect((await manifest("publish", "loud2.json", "--agent", "loud")).code).toBe(0);
  });

  test("follows the policy", async () => {
    write("again.json", { capability_flags: {} });
    await publish("again.json", "--accept");
    writeFileSync(workspace.path("policy.json"), JSON.stringify({ rules: { "manifest/tool_removed": "note" } }));
    write("less.json", { capability_flags: {}, tools: [] });
    expect((await publish("less.json")).code).toBe(1);
    expect((await publish("less.json", "--config", "policy.json")).code).toBe(0);
  });

  test("shows no key, whatever goes wrong", async () => {
    const wrong = `hsk_0123456789abcdef_${"x".repeat(43)}`;
    const args = ["manifest", "publish", "manifest.json", "--agent", "demo", "--accept", "--registry"];
    for (const [url, message] of [
      [registry.url, "UNAUTHENTICATED"],
      ["http://example.com", "is not sent to"],
      ["http://127.0.0.1:1", "did not answer"],
    ] as const) {
      const { code, stdout, stderr } = await workspace.run([...args, url], { AGENTPRINT_PUBLISH_TOKEN: wrong });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain(wrong);
    }
  });
});

describe("agentprint manifest pull", () => {
  test("writes a manifest, and reports whether a file is the registry's manifest", async () => {
    const pull = (...args: string[]) => manifest("pull", "--agent", "demo", ...args);
    const first = await pull("--of-version", "1");
    const parsed = parseManifest(first.stdout);
    expect(parsed).toMatchObject({ ok: true, manifest: { agent_version: "0.1.0" } });
    expect(await pull("-o", "pulled.json")).toMatchObject({ code: 0, stdout: /wrote pulled.json: version \d/ });
    expect(await pull("--check", "pulled.json")).toMatchObject({ code: 0 });
    const other = await pull("--check", "manifest.json", "--format", "json");
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({
      same: false,
      hash: parsed.ok && hashManifest(parsed.manifest),
    });
    expect(JSON.parse((await pull("--of-version", "2", "--format", "json")).stdout)).toMatchObject({
      capability_manifest_version: 2,
      manifest: { agent_version: "0.2.0" },
    });
    expect((await pull("--of-version", "99")).stderr).toContain("VERSION_NOT_FOUND");
    expect((await pull("--check", "nothing.json")).code).toBe(2);
    expect((await pull("-o", "a", "--check", "b")).code).toBe(2);
  });
});

describe("agentprint manifest watch", () => {
  /** Runs a watch until the signal is aborted; calls `hear` with each piece of its output. */
  async function watch(args: readonly string[], hear: (text: string, end: () => void) => void) {
    const ending = new AbortController();
    const stdout = new Collector((text) => hear(text, () => ending.abort()));
    const stderr = new Collector();
    const words = ["manifest", "watch", ...args, "--registry", registry.url];
    const code = await run({
      ...memoryContext(words, { env, cwd: workspace.folder }, stdout, stderr),
      signal: ending.signal,
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  test("reports each version until it is ended, and exits with 1 if one broke something", async () => {
    await manifest("publish", "manifest.json", "--agent", "watched", "--create");
    const quiet = await watch(["watched"], (_text, end) => end());
    expect(quiet).toEqual({ code: 0, stdout: "watched is at version 1\n", stderr: "" });
    const loud = await watch(["watched", "--until-breaking"], (text) => {
      if (text.includes("is at")) void manifest("publish", "weak.json", "--agent", "watched", "--accept");
    });
    expect(loud).toMatchObject({ code: 1, stderr: "" });
    expect(loud.stdout).toMatch(/Z watched version 2: 1 breaking change\n {2}\S/);
  });

  test("resumes where an earlier run ended", async () => {
    const args = ["watched", "--format", "json", "--since", "watched=1", "--until-breaking"];
    const { code, stdout } = await watch(args, () => {});
    const [start, event] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, start.event, event.event, event.id]).toEqual([1, "start", "breaking", "watched=2"]);
    const missed = await watch(["watched", "--since", "watched=9"], (text, end) => text.includes("again") && end());
    expect(missed).toMatchObject({ code: 0, stdout: expect.stringContaining("read the agent again") });
  });

  test("resumes where it ended, even if other commands have stored newer versions since", async () => {
    await manifest("publish", "manifest.json", "--agent", "missed", "--create");
    expect((await watch(["missed"], (_text, end) => end())).code).toBe(0);
    await manifest("publish", "weak.json", "--agent", "missed", "--accept");
    expect((await manifest("pull", "--agent", "missed")).code).toBe(0);
    const again = await watch(["missed", "--until-breaking"], () => {});
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining("missed version 2: 1 breaking change")]);
    // The same version is not reported again.
    const last = await watch(["missed"], (_text, end) => end());
    expect(last).toEqual({ code: 0, stdout: "missed is at version 2\n", stderr: "" });
  });

  test("waits for a registry that does not answer, reports it, and continues when it answers", async () => {
    const { origin } = new URL(registry.url);
    const gone = await listening();
    const words = ["manifest", "watch", "watched", "--registry", gone.origin, "--no-memory"];
    const ending = new AbortController();
    const stdout = new Collector((text) => void (text.includes("is at") && ending.abort()));
    const stderr = new Collector((text) => {
      if (!text.startsWith("waiting for")) return;
      // When either side ends, so does the other.
      gone.handle = (asked, response) => {
        const headers = { accept: "text/event-stream" };
        get(`${origin}${asked.url}`, { headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, { "content-type": "text/event-stream" });
          pipeline(answer, response, () => undefined);
        }).on("error", () => response.destroy());
      };
    });
    gone.handle = (_request, response) => void response.writeHead(503).end();
    try {
      const code = await run({ ...memoryContext(words, { env }, stdout, stderr), signal: ending.signal });
      expect([code, stdout.text]).toEqual([0, "watched is at version 2\n"]);
      expect(stderr.text).toMatch(/^waiting for http\S+, for 0 s so far: .*503.*\n\S+ answers again, after \d+ s\n$/);
    } finally {
      await gone[Symbol.asyncDispose]();
    }
  });

  test("has no verdict without agents, a registry, or an answer", async () => {
    expect((await workspace.run(["manifest", "watch", "--registry", registry.url])).code).toBe(2);
    expect((await workspace.run(["manifest", "watch", "demo"])).code).toBe(2);
    expect((await manifest("watch", "a/b")).code).toBe(2);
    expect((await workspace.run(["manifest", "watch", "demo", "--registry", `${registry.url}/docs`])).code).toBe(2);
  });
});

test("help and completions name the commands that use a registry", async () => {
  expect((await workspace.run(["manifest", "help"])).stdout).toMatch(/publish .*pull .*watch /s);
  for (const name of ["publish", "pull", "watch"]) {
    const { code, stdout } = await workspace.run(["manifest", name, "--help"]);
    expect([code, stdout.includes("Examples:")]).toEqual([0, true]);
  }
  expect((await workspace.run(["complete", "--", "manifest", "watch", "--reg"])).stdout).toContain("--registry");
});

import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  computeFullCapabilityLink,
  createRegisteredAgent,
  jsonSchema,
  policy,
  tool,
  toolkit,
} from "@agentprint/agent-capabilities";
import { FORMATS } from "@agentprint/report";
import { runBeside } from "@agentprint/testing/programs";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandEntry } from "../../src/commands/command-module.ts";
import { COMMANDS } from "../../src/commands.ts";
import { AuthorProject, note } from "../support/author-project.ts";
import type { RunResult } from "../support/run-cli.ts";

/** The SARIF properties that GitHub reads. The package that writes SARIF tests it against the schema. */
interface Located {
  readonly locations?: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation?: { readonly uri?: string };
      readonly region?: { readonly startLine?: number };
    };
  }[];
}

interface Log {
  readonly runs: readonly {
    readonly results: readonly Located[];
    readonly invocations: readonly { readonly toolExecutionNotifications: readonly Located[] }[];
  }[];
}

/** Microsoft's SARIF validator: `Sarif.Multitool` from `@microsoft/sarif-multitool-linux` and similar packages. */
const MULTITOOL = process.env["SARIF_MULTITOOL"];

/**
 * For each command that writes a report, a call that has findings. Publishing needs a registry, and writes the same
 * report as `manifest diff`.
 */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  check: ["check"],
  "check of a change": ["check", "--base", "HEAD"],
  "check of a server that does not start": ["check", "--lock", "broken.lock"],
  "check of a lock in a folder": ["check", "--lock", "locks/agentprint.lock"],
  "check of a configuration outside": ["check", "--mcp-config", "../outside.mcp.json"],
  watch: ["watch", "--rounds", "1"],
  approve: ["approve", "notes"],
  "approve of the policy": ["approve", "--policy"],
  diff: ["diff", "before.lock", "agentprint.lock"],
  statement: ["statement", "notes.statement.json", "notes", "--key", "other.pub"],
  release: ["release", "--against", "v1.2.0"],
  "manifest validate": ["manifest", "validate", "broken.json"],
  "manifest diff": ["manifest", "diff", "one.json", "two.json"],
  "text compare": ["text", "compare", "one.txt", "two.txt"],
  "text tree": ["text", "tree", "sub", "--check", "sub.json"],
  "spec diff": ["spec", "diff", "one.spec.json", "two.spec.json"],
  "spec check": ["spec", "check", "two.spec.json", "--hash", "00000000"],
  "capabilities diff": ["capabilities", "diff", "monday.json", "tuesday.json"],
  "trail verify": ["trail", "verify", "trail.jsonl"],
  "trail verify of several": ["trail", "verify", "trail.jsonl", "other.jsonl"],
  "evidence verify": ["evidence", "verify", "evidence.jsonl", "--key", "other.pub"],
};
const ELSEWHERE = new Set(["manifest publish"]);

let project: AuthorProject;
let otherKey: string;
const write = (file: string, text: string | object) =>
  writeFileSync(project.path(file), typeof text === "string" ? text : JSON.stringify(text, null, 2));
const must = async (...args: string[]) => {
  const run = await project.run(args);
  if (run.code !== 0) throw new Error(`${args.join(" ")}: ${run.stderr}${run.stdout}`);
  return run.stdout;
};

beforeAll(async () => {
  project = new AuthorProject();
  for (const name of ["author", "other"]) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    write(`${name}.pem`, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
    write(`${name}.pub`, publicKey.export({ format: "pem", type: "spki" }).toString());
    otherKey = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  }
  await project.release("1.2.0", [note("keep"), note("drop")]);
  await must("release", "--against", "v1.2.0", "--statement", "notes.statement.json", "--key", "author.pem");
  const pin = ["pin", "--name", "notes", "--", "node", "server.cjs"];
  await must(...pin);
  await must("pin", "--lock", "before.lock", ...pin.slice(1));
  mkdirSync(project.path("locks"));
  await must("pin", "--lock", "locks/agentprint.lock", "--name", "notes", "--", "node", project.path("server.cjs"));
  write("gone.cjs", readFileSync(project.path("server.cjs"), "utf8"));
  await must("pin", "--lock", "broken.lock", "--name", "gone", "--", "node", "gone.cjs");
  write("gone.cjs", "process.exit(3)");
  write("agentprint.config.json", { preset: "strict" });
  project.repository.commit();
  // The change has other tools, which the lock accepts, and a more permissive policy.
  project.write("1.2.1", [note("keep", { required: ["text"] }), note("added")]);
  await must("pin", "--replace", ...pin.slice(1));
  project.write("1.2.2", [note("added")]);
  write("agentprint.config.json", {
    preset: "breaking",
    statements: { notes: { from: "notes.statement.json", keys: [otherKey] } },
  });
  write("../outside.mcp.json", { mcpServers: { notes: { command: "node", args: [project.path("server.cjs")] } } });
  write("broken.json", { schema_version: "1.0" });
  const manifest = JSON.parse(
    await must("manifest", "init", "one.json").then(() => readFileSync(project.path("one.json"), "utf8")),
  );
  write("two.json", { ...manifest, agent_version: "9.0.0", tools: [] });
  write("one.txt", "one\ntwo\n");
  write("two.txt", "one\nthree\n");
  mkdirSync(project.path("sub"));
  write("sub/a.txt", "a");
  await must("text", "tree", "sub", "--manifest", "sub.json");
  write("sub/a.txt", "b");
  write("one.spec.json", { id: "writer", systemPrompt: "Be brief." });
  write("two.spec.json", { id: "writer", systemPrompt: "Be long." });
  write("trail.jsonl", `${JSON.stringify({ type: "plan", task_id: "t1" })}\n`);
  write("other.jsonl", "no record\n");
  for (const [file, plan] of [
    ["monday.json", "pro"],
    ["tuesday.json", "free"],
  ] as const)
    write(file, await linkOf(plan));
  await must("evidence", "evidence.jsonl", "--key", "author.pem");
});
afterAll(() => project[Symbol.dispose]());

/** Returns the capabilities of an agent whose user has this plan. */
async function linkOf(plan: string): Promise<object> {
  const pro = policy("tenant:pro", (ctx: { env: { plan: string } }) => ctx.env.plan === "pro");
  const root = toolkit([tool({ name: "write", inputSchema: jsonSchema(true), policies: [pro], handler: () => "" })], {
    name: "files",
  });
  const agent = createRegisteredAgent({ agentId: "files-1", name: "Files", root });
  return (await computeFullCapabilityLink({ agent, ctx: { env: { plan } }, invocationContext: {} })).link;
}

/** Returns the full names of the commands whose reports have the format `sarif`. */
async function reporting(entries: readonly CommandEntry[], prefix = ""): Promise<string[]> {
  const names: string[] = [];
  for (const { term, load, commands = [] } of entries) {
    const name = `${prefix}${term.split(" ")[0]}`;
    const command = new Command(name);
    (await load?.())?.define(command);
    const formats = command.options.find(({ long }) => long === "--format")?.argChoices ?? [];
    if (formats.includes("sarif")) names.push(name);
    names.push(...(await reporting(commands, `${name} `)));
  }
  return names;
}

test("each command that writes a report is called here", async () => {
  const called = new Set(Object.keys(CALLS).map((name) => name.replace(/ of .*$/, "")));
  expect((await reporting(COMMANDS)).filter((name) => !called.has(name) && !ELSEWHERE.has(name))).toEqual([]);
});

/** The outcome of each command in each format; no call changes the findings of another. */
const reports = new Map<string, Promise<RunResult>>();
function reportOf(name: string, format: string): Promise<RunResult> {
  const key = `${name} as ${format}`;
  const report = reports.get(key) ?? project.run([...(CALLS[name] ?? []), "--format", format]);
  reports.set(key, report);
  return report;
}

const isInside = (file: string) => !/^(\/|\.\.|[a-z]+:)/i.test(file) && existsSync(project.path(file));

describe.each(Object.keys(CALLS))("%s", (name) => {
  test("writes SARIF in which each result is in a file of the repository", async (context) => {
    const { code, stdout, stderr } = await reportOf(name, "sarif");
    expect(code, stderr).toBeGreaterThan(0);
    const log = JSON.parse(stdout) as Log;
    const [run] = log.runs;
    const all = [...(run?.results ?? []), ...(run?.invocations?.[0]?.toolExecutionNotifications ?? [])];
    expect(all.length, name).toBeGreaterThan(0);
    for (const { locations } of all) {
      const [first] = locations ?? [];
      expect(
        isInside(decodeURIComponent(first?.physicalLocation?.artifactLocation?.uri ?? "")),
        JSON.stringify(first),
      ).toBe(true);
      expect(first?.physicalLocation?.region?.startLine).toBeGreaterThan(0);
    }
    if (MULTITOOL === undefined) return context.skip("SARIF_MULTITOOL names no Sarif.Multitool");
    write("report.sarif", stdout);
    const rules = [
      "--rule-kind",
      "Sarif",
      "Gh",
      "--log",
      "ForceOverwrite",
      "--output",
      project.path("validated.sarif"),
    ];
    const validated = await runBeside(MULTITOOL, ["validate", project.path("report.sarif"), ...rules]);
    expect(validated.stdout).not.toMatch(/: error [A-Z]+\d+/);
    expect(validated.stdout).toContain("Analysis completed successfully");
  });

  test("writes entries for GitLab that each name a file of the repository", async () => {
    const { stdout } = await reportOf(name, "gitlab");
    const entries = JSON.parse(stdout) as { location: { path: string; lines: { begin: number } } }[];
    expect(entries.length).toBeGreaterThan(0);
    for (const { location } of entries) {
      expect(isInside(location.path), location.path).toBe(true);
      expect(location.lines.begin).toBeGreaterThan(0);
    }
  });

  test.each(FORMATS)("writes the same outcome as %s", async (format) => {
    const { code, stdout } = await reportOf(name, format);
    expect(code).toBeGreaterThan(0);
    expect(stdout).not.toBe("");
    if (format === "json") expect(JSON.parse(stdout)).toHaveProperty("outcome");
    if (format === "junit") expect(stdout).toMatch(/^<\?xml[\s\S]*<testsuite/);
    if (format === "github") expect(stdout).toMatch(/^::(error|warning|notice) /m);
  });
});

import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { sha256Hex } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { createSigner, createStatement, signStatement } from "@agentprint/statement";
import { answersOf } from "@agentprint/testing/lock/offer";
import { openTrailStore } from "@agentprint/trail-store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const OUT = "audit.intoto.jsonl";
const JANUARY = ["--from", "2026-01-02", "--to", "2026-01-05"];
let [workspace, home] = [] as unknown as [Workspace, Workspace];
let publicKeys: Record<string, string> = {};
let log: readonly string[] = [];

beforeEach(async () => {
  [workspace, home] = [new Workspace(), new Workspace()];
  publicKeys = Object.fromEntries(["mia", "maker"].map((name) => [name, writeKey(name)]));
  writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ reviewers: { mia: [publicKeys["mia"]] } }));
  const launch: Launch = { type: "stdio", command: "server", args: [], env: [] };
  const lock = createLock({ files: answersOf([{ name: "read", description: "Reads." }], { launch }) });
  writeFileSync(workspace.path("agentprint.lock"), formatLock(lock));
  await append(["one", "two", "three", "four", "five", "six"]);
  const made = (await run("trail", "keygen", "example.com/log", "log.key")).stdout.split("\n")[0] ?? "";
  log = ["--log", made, "--origin", "example.com/t1"];
  await checkpoint();
});
afterEach(() => {
  for (const each of [workspace, home]) each[Symbol.dispose]();
});

function writeKey(name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(workspace.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
  const text = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  writeFileSync(workspace.path(`${name}.pub`), text);
  return text;
}

/** Records a task's thoughts, one a day at noon, from January 1 on. */
async function append(contents: readonly string[], day = 1): Promise<void> {
  let next = day;
  const now = () => new Date(Date.UTC(2026, 0, next++, 12));
  const store = await openTrailStore(`file:${workspace.path("trail.db")}`, { now });
  for (const content of contents) await store.append({ type: "plan", task_id: "t1", agent_id: "a", content });
  await store.close();
}

const run = (...args: string[]) => runIn({}, ...args);
const runIn = (env: Record<string, string>, ...args: string[]) =>
  runCli(args, {
    cwd: workspace.folder,
    env: { HOME: home.folder, USERPROFILE: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "", ...env },
  });
const checkpoint = () =>
  run(
    ...["trail", "checkpoint", "file:trail.db", "--task", "t1", "--origin", "example.com/t1"],
    ...["--key-file", "log.key", "-o", "t1.note"],
  );
const make = (...args: string[]) => run("evidence", OUT, "--trail", "file:trail.db", "--key", "maker.pem", ...args);
const verify = (...args: string[]) => run("evidence", "verify", OUT, "--key", "maker.pub", ...log, ...args);
const payload = () => JSON.parse(atob(JSON.parse(readFileSync(workspace.path(OUT), "utf8")).payload));

/** Writes the bundle again with another payload and no signature. */
function rewrite(change: (statement: ReturnType<typeof payload>) => void): void {
  const statement = payload();
  change(statement);
  const text = Buffer.from(JSON.stringify(statement)).toString("base64");
  const envelope = { payloadType: "application/vnd.in-toto+json", payload: text, signatures: [] };
  writeFileSync(workspace.path(OUT), JSON.stringify(envelope));
}

test("evidence of a period is verified offline by the keys of its makers, and its contents are listed", async () => {
  await run("attest", "files", "--key", "mia.pem");
  expect(await make(...JANUARY)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/5 parts, signed/),
  });
  const { code, stdout } = await verify("--format", "json");
  expect(code).toBe(0);
  const { evidence, findings, keyId } = JSON.parse(stdout);
  expect(findings).toEqual([]);
  expect(keyId).toMatch(/^[0-9a-f]{64}$/);
  expect(evidence).toMatchObject({
    period: { from: "2026-01-02T00:00:00Z", to: "2026-01-05T00:00:00Z" },
    versions: { node: process.versions.node },
    tasks: [{ task: "t1", first: 0 }],
  });
  const records = payload().subject.find(({ name }: { name: string }) => name === "trails/0.jsonl");
  expect(atob(records.content).match(/"content":"\w+"/g)).toEqual(
    ["one", "two", "three", "four", "five"].map((word) => `"content":"${word}"`),
  );
});

test("evidence without a trail, without keys or without a signature could not be verified: exit 2", async () => {
  await make();
  expect(await run("evidence", "verify", OUT)).toMatchObject({ code: 2 });
  expect(await run("evidence", "verify", OUT, "--key", "maker.pub")).toMatchObject({ code: 2 });
  expect(await run("evidence", "verify", OUT, ...log)).toMatchObject({ code: 2 });
  expect((await verify()).code).toBe(0);
  expect(await run("evidence", OUT, "--key", "maker.pem")).toMatchObject({ code: 0 });
  expect(await verify()).toMatchObject({ code: 2, stdout: expect.stringContaining("no trail") });
  expect(await run("evidence", OUT)).toMatchObject({ code: 0, stderr: expect.stringContaining("not signed") });
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining("no trusted key") });
});

test("a record after the last checkpoint and an unproven end could not be verified", async () => {
  await append(["seven"], 7);
  await make();
  expect(await verify()).toMatchObject({ code: 2, stdout: expect.stringContaining("from 6 on") });
  await checkpoint();
  await make();
  expect((await verify()).code).toBe(0);
  await make("--to", "2026-02-01");
  expect(await verify()).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("no further record before 2026-02"),
  });
});

test("another key, a changed part and a missing part are differences", async () => {
  await make(...JANUARY);
  expect(await run("evidence", "verify", OUT, "--key", "mia.pub", ...log)).toMatchObject({ code: 1 });
  rewrite(({ subject }) => {
    subject[1].content = Buffer.from("{}").toString("base64");
  });
  expect(await run("evidence", "verify", OUT, ...log)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("does not have the digest"),
  });
  rewrite(({ subject }) => subject.pop());
  expect(await run("evidence", "verify", OUT, ...log)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("/predicate/trails/0/checkpoints/0/note"),
  });
});

test.each([
  ["no JSON", "{", "unreadable-input"],
  ["an empty file", "", "unreadable-input"],
  ["a deep list", "[".repeat(100_000), "unreadable-input"],
  ["two lines", "{}\n{}", "unreadable-input"],
  [
    "a statement of nothing",
    '{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[]}',
    "unreadable-input",
  ],
])("%s is refused, and does not end the process", async (_, text, code) => {
  writeFileSync(workspace.path(OUT), text);
  expect(await run("evidence", "verify", OUT)).toMatchObject({ code: 2, stderr: expect.stringContaining(code) });
});

const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
test.each<[string, string, Record<string, string>]>([
  ["a token in a record", `use ${TOKEN}`, {}],
  ["the value of a secret variable in a record", "the value hunter2hunter2 works", { API_TOKEN: "hunter2hunter2" }],
  ["such a value in Base64", btoa("hunter2hunter2"), { API_TOKEN: "hunter2hunter2" }],
  ["a value of the configuration of a client", "the value s3cr3t-of-client works", {}],
])("%s is refused as a part, and the file stays as it was", async (_, content, env) => {
  const server = { command: "server", env: { API_KEY: "s3cr3t-of-client" } };
  writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { files: server } }));
  await append([content], 7);
  writeFileSync(workspace.path(OUT), "before");
  const { code, stderr } = await runIn(env, "evidence", OUT, "--trail", "file:trail.db");
  expect(code).toBe(2);
  expect(stderr).toMatch(/trails\/0\.jsonl:7: has the (?:form|value) of[\s\S]*secret-inside/);
  for (const secret of [TOKEN, "hunter2hunter2", "s3cr3t-of-client"]) expect(stderr).not.toContain(secret);
  expect(readFileSync(workspace.path(OUT), "utf8")).toBe("before");
  expect((await runIn(env, "evidence", OUT, "--trail", "file:trail.db", "--to", "2026-01-06")).code).toBe(0);
});

test("a client configuration with secrets is refused as a part", async () => {
  const server = { command: "server", env: { API_KEY: "s3cr3t-of-client" } };
  writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { files: server } }));
  expect((await make()).code).toBe(0);
  expect(JSON.stringify(payload())).not.toContain(btoa("s3cr3t-of-client").slice(0, 16));
});

test("an author's statement that the lock accepted is a part, and a missing one is reported", async () => {
  const signer = createSigner(readFileSync(workspace.path("mia.pem"), "utf8"));
  const [entry = expect.fail()] = workspace.lock().servers;
  const [issued, expires] = [new Date("2026-01-31"), new Date("2027-01-31")];
  const envelope = signStatement(createStatement({ entry, version: "1.0.0", issued, expires }), signer);
  writeFileSync(workspace.path("files.json"), envelope);
  const rule = { from: "files.json", keys: [signer.publicKey] };
  writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ statements: { files: rule } }));
  const sha256 = sha256Hex(Buffer.from(JSON.parse(envelope).payload, "base64"));
  const statements = [
    { server: "files", sha256, version: "1.0.0", issued: "2026-01-31T00:00:00Z", sets: entry.setHashes },
  ];
  writeFileSync(workspace.path("agentprint.lock"), formatLock({ ...workspace.lock(), statements }));
  await make(...JANUARY);
  expect((await verify()).code).toBe(0);
  writeFileSync(workspace.path("files.json"), "");
  expect(await make(...JANUARY)).toMatchObject({ code: 1, stderr: expect.stringContaining("statement-invalid") });
  rmSync(workspace.path("files.json"));
  expect(await make(...JANUARY)).toMatchObject({ code: 0, stderr: expect.stringContaining("is not in the evidence") });
  expect(await verify()).toMatchObject({ code: 2, stdout: expect.stringContaining("agentprint.lock") });
});

test("a trail that contradicts its checkpoint is written, and reported as wrong: exit 1", async () => {
  const store = await openTrailStore(`file:${workspace.path("trail.db")}`);
  const [note = ""] = await store.checkpoints("t1");
  for (let index = 0; index < 6; index++) {
    await store.append({ type: "plan", task_id: "t2", agent_id: "a", content: "other" });
  }
  await store.addCheckpoint("t2", note);
  await store.close();
  const { code, stderr } = await make();
  expect(code).toBe(1);
  expect(stderr).toContain("evidence/proof-invalid");
  expect((await verify()).code).toBe(1);
});

test.each([
  [["--task", "t1"], "--trail"],
  [["--trail", "trail.db"], "file:trail.db"],
  [["--trail", "file:trail.db", "--task", "none"], "none"],
  [["--trail", "file:trail.db", "--from", "yesterday"], "expected a time in UTC"],
  [["--trail", "file:trail.db", "--from", "2026-02-30"], "expected a time in UTC"],
  [["--trail", "file:trail.db", "--from", "2026-01-02", "--to", "2026-01-01"], "a period that ends after it begins"],
])("%j is refused, and nothing is written", async (args, words) => {
  expect(await run("evidence", OUT, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  expect(existsSync(workspace.path(OUT))).toBe(false);
});

test("a key of a log without its name is refused", async () => {
  await make();
  expect(await run("evidence", "verify", OUT, "--log", log[1] ?? "")).toMatchObject({ code: 2 });
});

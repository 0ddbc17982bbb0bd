import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Launch } from "@agentprint/launch";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { createAttestation, createSigner, signAttestation } from "@agentprint/statement";
import { answersOf } from "@agentprint/testing/lock/offer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const FOLDER = "agentprint.attestations";
let [workspace, home] = [] as unknown as [Workspace, Workspace];
let keys: Record<string, string> = {};

beforeEach(() => {
  [workspace, home] = [new Workspace(), new Workspace()];
  keys = Object.fromEntries(["mia", "ben"].map((name) => [name, writeKey(name)]));
  list("mia", "ben");
  pin({ files: "1", mail: "1" });
});
afterEach(() => {
  for (const each of [workspace, home]) each[Symbol.dispose]();
});

/** Writes a private key to a file, and returns the public key as one line. */
function writeKey(name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(workspace.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
  return publicKey.export({ format: "der", type: "spki" }).toString("base64");
}

/** Writes a configuration with these reviewers. */
function list(...names: readonly string[]): void {
  const reviewers = Object.fromEntries(names.map((name) => [name, [keys[name]]]));
  writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ reviewers }));
}

/** Writes a lock that pins servers with the given instructions. */
function pin(says: Readonly<Record<string, string>>, file = "agentprint.lock"): void {
  const servers = Object.entries(says).map(([name, instructions]) => {
    const launch: Launch = { type: "stdio", command: "server", args: [], env: [] };
    return [name, answersOf([], { launch, instructions })] as const;
  });
  writeFileSync(workspace.path(file), formatLock(createLock(Object.fromEntries(servers))));
}

const run = (...args: string[]) =>
  runCli(args, {
    cwd: workspace.folder,
    env: { HOME: home.folder, USERPROFILE: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" },
  });
const attest = (name: string, ...args: string[]) => run("attest", ...args, "--key", `${name}.pem`);
const attested = () => readdirSync(workspace.path(FOLDER)).map((name) => workspace.path(`${FOLDER}/${name}`));

test("status shows who attested which entry, when, and in which words", async () => {
  expect(await attest("mia", "files", "--note", "read it all\u202e")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^wrote agentprint\.attestations\/[0-9a-f]{16}-[0-9a-f]{16}\.json: [^\n]*files\n$/),
  });
  await attest("ben", "files");
  const { code, stdout } = await run("status");
  const day = new Date().toISOString().slice(0, 8);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`attested by mia on ${day}\\d\\d: read it all\\\\u\\{202e\\}\\n`));
  expect(stdout).toMatch(/attested by ben on [\d-]{10}\n/);
  expect(stdout.slice(stdout.indexOf("pinned mail"))).not.toContain("attested");
  const json = JSON.parse((await run("status", "--format", "json")).stdout);
  expect(json.attestations).toHaveLength(2);
  expect(json.attestations).toContainEqual(
    expect.objectContaining({ server: "files", reviewer: "mia", matches: true, note: "read it all\u202e" }),
  );
});

test("the newest attestation comes first", async () => {
  await attest("ben", "files");
  const signer = createSigner(readFileSync(workspace.path("mia.pem"), "utf8"));
  for (const [file, year] of [
    ["a", 2001],
    ["z", 2002],
  ] as const) {
    const issued = new Date(Date.UTC(year, 0));
    const [entry = expect.fail()] = workspace.lock().servers;
    writeFileSync(
      workspace.path(`${FOLDER}/${file}.json`),
      signAttestation(createAttestation({ entry, issued }), signer),
    );
  }
  const { attestations } = JSON.parse((await run("status", "--format", "json")).stdout);
  const order = attestations.map(({ issued }: { issued: string }) => issued.slice(0, 4));
  expect(order).toEqual([String(new Date().getUTCFullYear()), "2002", "2001"]);
});

test("an entry that changed was attested earlier, until its reviewer attests it again", async () => {
  await attest("mia", "files");
  pin({ files: "2" });
  expect((await run("status")).stdout).toContain("attested an earlier entry by mia");
  await attest("mia", "files");
  const { stdout } = await run("status");
  expect(stdout).toContain("attested by mia");
  expect(stdout).not.toContain("earlier");
  expect(attested()).toHaveLength(1);
});

test("an attestation of a server that is not pinned is a note", async () => {
  await attest("mia", "mail");
  pin({ files: "1" });
  expect(await run("status")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("mail is attested by mia"),
  });
});

test("a key that the configuration does not list is not accepted, and attest reports it", async () => {
  list("ben");
  const run1 = await attest("mia", "files");
  expect(run1.stderr).toContain(`it counts once agentprint.config.json lists your key: {"reviewers":`);
  expect(run1.stderr).toContain(keys["mia"]);
  const { code, stdout, stderr } = await run("status");
  expect(code).toBe(2);
  expect(stdout).not.toContain("attested");
  expect(stderr).toContain("no trusted key signed the statement");
});

test("a changed attestation is an error with its file, and leaves the others", async () => {
  await attest("mia", "files");
  const [file = ""] = attested();
  const envelope = JSON.parse(readFileSync(file, "utf8"));
  await attest("ben", "files");
  writeFileSync(file, JSON.stringify({ ...envelope, payload: "e30=" }));
  const { code, stdout, stderr } = await run("status");
  expect(code).toBe(2);
  expect(stdout).toContain("attested by ben");
  expect(stdout).not.toContain("attested by mia");
  expect(stderr).toContain("the signature does not belong to this key");
  expect(stderr).toContain(`${FOLDER}/`);
});

test.each<[string, string, (path: string) => void]>([
  ["no JSON", "strict JSON", (path) => writeFileSync(path, "{")],
  ["too long", "too-large", (path) => writeFileSync(path, "x".repeat(65_537))],
  ["a folder", "regular file", (path) => mkdirSync(path)],
  ["a link to nothing", "cannot read", (path) => symlinkSync("nothing", path)],
])("an attestation that is %s is an error", async (_, said, make) => {
  mkdirSync(workspace.path(FOLDER));
  make(workspace.path(`${FOLDER}/a.json`));
  expect(await run("status")).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});

test("other files of the folder are ignored, and a file in place of the folder is an error", async () => {
  mkdirSync(workspace.path(FOLDER));
  writeFileSync(workspace.path(`${FOLDER}/README.md`), "");
  expect(await run("status")).toMatchObject({ code: 0 });
  rmSync(workspace.path(FOLDER), { recursive: true });
  writeFileSync(workspace.path(FOLDER), "");
  for (const args of [["status"], ["attest", "files", "--key", "mia.pem"]]) {
    expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(FOLDER) });
  }
});

test("each lock has its own attestations", async () => {
  pin({ files: "1" }, "prod.lock");
  await attest("mia", "files", "--lock", "prod.lock");
  expect((await run("status")).stdout).not.toContain("attested");
  expect((await run("status", "--lock", "prod.lock")).stdout).toContain("attested by mia");
});

test("a part that cannot be attested is an error, and nothing is written", async () => {
  expect(await attest("mia", "fils")).toMatchObject({ code: 2, stderr: expect.stringContaining("files") });
  const long = await attest("mia", "files", "--note", "x".repeat(1001));
  expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining("/predicate/note") });
  writeFileSync(workspace.path("mia.pem"), "no key");
  const key = await attest("mia", "files");
  expect(key).toMatchObject({ code: 2, stderr: expect.stringContaining("not a private Ed25519 key") });
  expect(readdirSync(workspace.folder)).not.toContain(FOLDER);
});

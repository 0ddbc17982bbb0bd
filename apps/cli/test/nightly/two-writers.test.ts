import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withStatements } from "@agentprint/mcp-lock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPending, updatePending } from "../../src/guard/pending.ts";
import { updateLock } from "../../src/lock/update-lock.ts";
import { openLogins } from "../../src/login/open-logins.ts";
import { memoryContext, type RunResult } from "../support/run-cli.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

/** How often each pair of writers runs at once. */
const ROUNDS = 200;
const FILE = "agentprint.statement.json";
const HISTORY = "agentprint.statement.keys.jsonl";
const NAMES = ["author", "next", "other", "third"] as const;
let space: Workspace;

const read = (file: string) => readFileSync(space.path(file), "utf8");
const key = (command: string, ...args: string[]) => space.run(["key", command, "--statement", FILE, ...args]);
const rotate = (from: string, to: string) => key("rotate", "--key", `${from}.pem`, "--successor", `${to}.pub`);
const revoke = (by: string, revoked: string) => key("revoke", "--key", `${by}.pem`, "--revoked", `${revoked}.pub`);
const lines = () => read(HISTORY).trim().split("\n");

beforeAll(async () => {
  space = new Workspace();
  for (const name of NAMES) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(space.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
    writeFileSync(space.path(`${name}.pub`), publicKey.export({ format: "pem", type: "spki" }));
  }
  writeFileSync(space.path("server.cjs"), toolsServer([{ name: "keep", inputSchema: { type: "object" } }]));
  const run = await space.run(["pin", "--name", "notes", "--", "node", "server.cjs"]);
  if (run.code !== 0) throw new Error(run.stderr);
});
afterAll(() => space[Symbol.dispose]());

/** Runs two writers at once, and checks that every write that was reported as done is in the file. */
async function meet(
  pair: readonly [() => Promise<RunResult>, () => Promise<RunResult>],
  check: (written: number) => void,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const results = await Promise.all(round % 2 === 0 ? [pair[0](), pair[1]()] : [pair[1](), pair[0]()]);
    for (const { code, stderr } of results) if (code !== 0) expect(stderr).toMatch(/code: +\S+/);
    check(results.filter(({ code }) => code === 0).length);
  }
  const rest = readdirSync(space.folder).filter(
    (name) => name.startsWith(".agentprint-") || name.endsWith(".jsonl.lock"),
  );
  expect(rest).toEqual([]);
}

const changes = {
  "a rotation and a revocation": [() => rotate("author", "next"), () => revoke("other", "other")],
  "two rotations": [() => rotate("author", "next"), () => rotate("other", "third")],
  "two revocations": [() => revoke("author", "author"), () => revoke("other", "other")],
} as const;

test.each(Object.entries(changes))("%s lose no entry of the key history", async (_, pair) => {
  await meet(pair, (written) => {
    expect(written).toBeGreaterThan(0);
    expect(lines()).toHaveLength(written);
    rmSync(space.path(HISTORY));
  });
});

test("two attestations are each complete, and the last one of a reviewer counts", async () => {
  const attest = (by: string, note: string) => () =>
    space.run(["attest", "notes", "--key", `${by}.pem`, "--note", note]);
  const folder = "agentprint.attestations";
  await meet([attest("author", "one"), attest("author", "two")], (written) => {
    expect(written).toBe(2);
    const files = readdirSync(space.path(folder)).filter((name) => name.endsWith(".json"));
    expect(files).toHaveLength(1);
    const { payload } = JSON.parse(read(`${folder}/${files[0]}`));
    expect(Buffer.from(payload, "base64").toString()).toMatch(/"note":"(one|two)"/);
  });
});

test("a wrap and an unwrap leave the configuration that one of them wrote", async () => {
  const config = `${JSON.stringify({ mcpServers: { notes: { command: "node", args: ["server.cjs"] } } }, null, 2)}\n`;
  writeFileSync(space.path(".mcp.json"), config);
  await space.run(["wrap", "--mcp-config", ".mcp.json"]);
  const wrapped = read(".mcp.json");
  expect(wrapped).not.toBe(config);
  const pair = ["wrap", "unwrap"].map((command) => () => space.run([command, "--mcp-config", ".mcp.json"]));
  await meet(pair as [() => Promise<RunResult>, () => Promise<RunResult>], (written) => {
    expect(written).toBeGreaterThan(0);
    expect([config, wrapped]).toContain(read(".mcp.json"));
  });
});

test("two writers of the lock, the logins and the list of pending servers each keep the other's changes", async () => {
  const context = memoryContext([], {
    cwd: space.folder,
    env: { XDG_STATE_HOME: space.path("state"), AGENTPRINT_TOKEN_STORE: "file" },
  });
  const logins = await openLogins(context);
  const before = await updateLock(context, "agentprint.lock", (lock) => lock ?? { lockVersion: 2, servers: [] });
  for (let round = 0; round < ROUNDS; round++) {
    const names = [`a${round}`, `b${round}`];
    const addStatement = (server: string) =>
      updateLock(context, "agentprint.lock", (lock) => {
        const statement = { server, sha256: "0".repeat(64), version: "1.0.0", issued: "2026-01-31T00:00:00Z" };
        const sets = before.servers.flatMap(({ setHashes }) => setHashes);
        return withStatements(lock ?? before, [{ ...statement, sets }]);
      });
    const addLogin = (name: string) =>
      logins.exclusive(() => {
        const server = `https://${name}.example.com/mcp`;
        const common = {
          scopes: [],
          endpoints: {},
          client: { kind: "dynamic", id: "c", method: "none" },
          renewal: { type: "refresh" },
        } as const;
        return logins.save({ id: name, server, issuer: server, resource: server, ...common }, { accessToken: "t" });
      });
    const addPending = (name: string) =>
      updatePending(context, "agentprint.lock", (servers) => [
        ...servers,
        { name, launch: { type: "stdio", command: "node", args: [], env: [] } },
      ]);
    await Promise.all(names.flatMap((name) => [addStatement(name), addLogin(name), addPending(name)]));
  }
  expect(space.lock().statements).toHaveLength(2 * ROUNDS);
  expect(await logins.all()).toHaveLength(2 * ROUNDS);
  expect(await readPending(context, "agentprint.lock")).toHaveLength(2 * ROUNDS);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../src/config/config.ts";
import { loadSigning } from "../src/config/signer-key.ts";
import { findKey } from "../src/keys/keys.ts";
import { createProgram } from "../src/program.ts";
import { openStore } from "../src/store/open-store.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "registry-program-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const run = (...args: string[]): Promise<Ran> => runWith(`file:${join(folder, "registry.db")}`, args);

async function runWith(database: string, args: readonly string[]): Promise<Ran> {
  const text = { out: "", err: "" };
  const env = { AGENTPRINT_REGISTRY_DATABASE: database };
  const sink = (name: "out" | "err") => ({
    write: (more: string) => {
      text[name] += more;
    },
  });
  const code = await createProgram(env, sink("out"), sink("err")).run(args);
  return { code, ...text };
}

async function isTaken(token: string, at = new Date()): Promise<boolean> {
  const store = await openStore(`file:${join(folder, "registry.db")}`);
  const key = await findKey(store, token.trim(), at);
  await store.close();
  return key !== undefined;
}

const idOf = (token: string): string => token.split("_")[1] ?? "";

describe("keys", () => {
  test("are issued, listed without their secret, and kept as hashes", async () => {
    const { code, out: token } = await run("keys", "issue", "--agent", "demo");
    expect(code).toBe(0);
    expect(token).toMatch(/^hsk_[0-9a-f]{16}_[\w-]{43}\n$/);
    expect(await isTaken(token)).toBe(true);
    const { out } = await run("keys", "list");
    expect(out).toContain(`${idOf(token)}  demo`);
    const secret = token.trim().slice(21);
    expect(out).not.toContain(secret);
    for (const file of readdirSync(folder)) {
      expect(readFileSync(join(folder, file), "latin1")).not.toContain(secret);
    }
  });

  test("end when they are revoked, and some time after they are rotated", async () => {
    const { out: first } = await run("keys", "issue", "--every-agent");
    const { out: second } = await run("keys", "rotate", idOf(first), "--grace-hours", "1");
    expect([await isTaken(first), await isTaken(second)]).toEqual([true, true]);
    const later = new Date(Date.now() + 3_600_001);
    expect([await isTaken(first, later), await isTaken(second, later)]).toEqual([false, true]);
    expect((await run("keys", "revoke", idOf(second))).code).toBe(0);
    expect(await isTaken(second)).toBe(false);
    expect(await run("keys", "rotate", idOf(second))).toMatchObject({ code: 2, out: "" });
    expect((await run("keys", "revoke", "nothing")).err).toContain("there is no usable key");
  });

  test("must be bound to something", async () => {
    expect((await run("keys", "issue")).code).toBe(2);
    expect((await run("keys", "issue", "--agent", "a/b")).code).toBe(2);
    expect((await run("keys", "issue", "--agent", "a", "--every-agent")).code).toBe(2);
  });
});

test("webhooks are added, listed without their secret, and removed", async () => {
  const { out: secret } = await run("webhooks", "add", "https://example.com/hook", "--agent", "demo");
  expect(secret).toMatch(/^whsec_[\w+/]{43}=\n$/);
  const { out } = await run("webhooks", "list");
  expect(out).toMatch(/^[\w-]{36} {2}demo {2}https:\/\/example\.com\/hook\n$/);
  expect(out).not.toContain(secret.trim());
  expect((await run("webhooks", "remove", out.split(" ")[0] ?? "")).code).toBe(0);
  expect((await run("webhooks", "list")).out).toContain("removed");
  expect(await run("webhooks", "add", "http://example.com/")).toMatchObject({ code: 2, out: "" });
});

test.each([
  ["keys", "list"],
  ["keys", "rotate", "0"],
  ["keys", "revoke", "0"],
  ["keys", "confirm", "0"],
  ["webhooks", "list"],
  ["webhooks", "remove", "0"],
  ["versions", "lost"],
])("%s %s reports that there is no database, and creates none", async (...args) => {
  const empty = mkdtempSync(join(folder, "empty-"));
  const { code, err } = await runWith(`file:${join(empty, "registry.db")}`, args);
  expect(code).toBe(2);
  expect(err).toMatch(/there is no database .*registry\.db: name it in AGENTPRINT_REGISTRY_DATABASE/);
  expect(readdirSync(empty)).toEqual([]);
});

test("a database at a URL with a host is no file of this machine", async () => {
  const { code, err } = await runWith("file://elsewhere.example/registry.db", ["keys", "list"]);
  expect(code).toBe(2);
  expect(err).toContain("the database is not a file on this machine");
});

test("migrate prints the migrations", async () => {
  expect((await run("migrate")).out).toMatch(/^(Migrated: 001_registry|Nothing to migrate)\n$/);
  expect((await run("migrate")).out).toBe("Nothing to migrate\n");
});

test("an unknown command, and a database that cannot be opened, are exit code 2", async () => {
  expect(await run("serv")).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/^error: unknown command 'serv'\n/),
  });
  const program = createProgram(
    { AGENTPRINT_REGISTRY_DATABASE: "file:/nowhere/registry.db" },
    { write: () => {} },
    { write: () => {} },
  );
  expect(await program.run(["migrate"])).toBe(2);
});

test("the help has examples, and a backup of no database names the database", async () => {
  expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("$ agentprint-registry backup") });
  const err = { text: "" };
  const env = { AGENTPRINT_REGISTRY_DATABASE: `file:${join(folder, "gone.db")}` };
  const stderr = {
    write: (more: string) => {
      err.text += more;
    },
  };
  const program = createProgram(env, { write: () => {} }, stderr);
  expect(await program.run(["backup", join(folder, "copy.db")])).toBe(2);
  expect(err.text).toMatch(/there is no database .*gone\.db: name it in AGENTPRINT_REGISTRY_DATABASE/);
});

describe("the configuration", () => {
  test("comes from a file and from the environment, which takes precedence", () => {
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify({ port: 1, name: "example.com/registry", cors_origins: ["https://a.example"] }));
    expect(loadConfig({ AGENTPRINT_REGISTRY_CONFIG: file, AGENTPRINT_REGISTRY_PORT: "2" })).toMatchObject({
      port: 2,
      name: "example.com/registry",
      cors_origins: ["https://a.example"],
      host: "127.0.0.1",
    });
    expect(
      loadConfig({ AGENTPRINT_REGISTRY_CORS_ORIGINS: "https://a.example, https://b.example" }).cors_origins,
    ).toHaveLength(2);
  });

  test.each([
    [{ AGENTPRINT_REGISTRY_PORT: "70000" }, /port/],
    [{ AGENTPRINT_REGISTRY_PROT: "1" }, /unknown setting prot/],
    [{ AGENTPRINT_REGISTRY_DATABASE: "mysql://user:secret@host/" }, /database: expected file:<path> or postgres/],
    [{ AGENTPRINT_REGISTRY_CONFIG: "/nowhere.json" }, /ENOENT/],
    [{ AGENTPRINT_REGISTRY_CORS_ORIGINS: "x", AGENTPRINT_REGISTRY_LOG_LEVEL: "loud" }, /log_level/],
  ])("%j is refused, and no value of it is shown", (env, message) => {
    expect(() => loadConfig(env)).toThrow(message);
    expect(() => loadConfig(env)).not.toThrow(/secret/);
  });
});

describe("the key for checkpoints", () => {
  const config = (more: Record<string, string>) =>
    loadConfig({ AGENTPRINT_REGISTRY_DATABASE: `file:${join(folder, "keys.db")}`, ...more });

  test("is made once next to an SQLite file, for its owner only", () => {
    const first = loadSigning(config({}));
    expect(loadSigning(config({})).verifierKey).toBe(first.verifierKey);
    expect(statSync(join(folder, "keys.db.signer-key")).mode & 0o777).toBe(0o600);
    expect(() => loadSigning(config({ AGENTPRINT_REGISTRY_NAME: "other.example" }))).toThrow(/belongs to localhost/);
  });

  test("has to be named for PostgreSQL, and is made by keygen", async () => {
    const postgres = { AGENTPRINT_REGISTRY_DATABASE: "postgres://localhost/registry" };
    expect(() => loadSigning(config(postgres))).toThrow(/keygen/);
    const file = join(folder, "made.key");
    expect((await run("keygen", file)).code).toBe(0);
    expect((await run("keygen", file)).err).toContain("already");
    const named = { ...postgres, AGENTPRINT_REGISTRY_SIGNER_KEY_FILE: file };
    expect(loadSigning(config(named)).verifierKey).toMatch(/^localhost\/agentprint-registry\+[0-9a-f]{8}\+/);
  });
});

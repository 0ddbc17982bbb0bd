import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { openTrailStore } from "@agentprint/trail-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Tokens } from "../src/access/tokens.ts";
import { loadConfig } from "../src/config.ts";
import { createProgram } from "../src/program.ts";
import { INITIALIZE } from "./support/server.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-server-program-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const url = (): string => `file:${join(folder, "trail.db")}`;

async function run(
  args: readonly string[],
  { env = {}, input = "" } = {},
): Promise<{ code: number; out: string; err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.write(input);
  const exit = (): void => undefined;
  const program = createProgram({ env: { AGENTPRINT_TRAIL_URL: url(), ...env }, stdin, stdout, stderr, exit });
  const running = program.run(args);
  if (input !== "") await new Promise((resolve) => stdout.once("readable", resolve));
  stdin.end();
  const code = await running;
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

test("without a command it serves one client over stdio until the client leaves; logs go to standard error", async () => {
  const { code, out, err } = await run([], { input: `${JSON.stringify(INITIALIZE)}\n` });
  expect(code).toBe(0);
  expect(JSON.parse(out).result.serverInfo.name).toBe("agentprint");
  expect(err).toBe("");
});

test("tokens are issued, listed without their secret, kept as hashes, and revoked", async () => {
  const { out: token, err } = await run(["tokens", "issue", "team-a/*", "--agent", "planner"]);
  expect(token).toMatch(/^amt_[A-Za-z0-9_-]{43}\n$/);
  const [, id = ""] = /token ([0-9a-f]{16})/.exec(err) ?? [];
  expect(readFileSync(join(folder, "trail.db")).includes(token.trim())).toBe(false);
  const store = await openTrailStore(url());
  expect(await new Tokens(store).find(token.trim())).toEqual({ id, agentId: "planner", tasks: ["team-a/*"] });
  expect((await run(["tokens", "list"])).out).toMatch(
    new RegExp(`^${id}  planner  \\["team-a/\\*"\\]  issued [^ ]+\n$`),
  );
  expect((await run(["tokens", "revoke", id])).out).toBe(`Revoked ${id}\n`);
  expect((await run(["tokens", "list"])).out).toMatch(/ {2}revoked .*\n$/);
  expect(await new Tokens(store).find(token.trim())).toBeUndefined();
  await store.close();
  expect(await run(["tokens", "revoke", id])).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no token"),
  });
});

test("a key for checkpoints is made once, for its owner only", async () => {
  const file = join(folder, "signer.key");
  expect((await run(["keygen", file])).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run(["keygen", file])).toMatchObject({ code: 2, err: expect.stringContaining("exists already") });
});

test.each([
  ["an unknown setting", { AGENTPRINT_MCP_PROT: "1" }, "unknown setting AGENTPRINT_MCP_PROT"],
  ["a port that is none", { AGENTPRINT_MCP_PORT: "70000" }, "AGENTPRINT_MCP_PORT: "],
  ["a database that is none", { AGENTPRINT_TRAIL_URL: "mysql://u:secret@h/t" }, "AGENTPRINT_TRAIL_URL: expected"],
])("%s is an error that does not reveal the value", async (_name, env, message) => {
  const { code, err } = await run([], { env });
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).not.toContain("secret");
});

test("an unknown command is refused", async () => {
  expect((await run(["no-such"])).code).toBe(2);
  expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("serve") });
});

test("without a setting the trail is in the home folder, which clients can write wherever they start a server", async () => {
  expect((await loadConfig({ HOME: folder })).trail_url).toBe(`file:${join(folder, ".agentprint", "trail.db")}`);
  expect(statSync(join(folder, ".agentprint")).mode & 0o777).toBe(0o700);
});

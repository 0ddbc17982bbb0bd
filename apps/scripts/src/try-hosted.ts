// Logs in to a server behind OAuth, then pins, checks, approves and guards it, with the packed command in an empty
// folder, as a stranger would: once as a person with a browser, and once as CI with a client secret and a proof of
// possession of its key (DPoP). The authorization server is oidc-provider; the server uses the official SDK.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CI, type HostedServer, hostedServer } from "@agentprint/testing/mcp-servers/hosted-server";
import { browse } from "@agentprint/testing/oauth/oidc-world";
import { killServices, startService } from "@agentprint/testing/service-process";
import { packPackages, publicPackages, REPOSITORY, withDependencies } from "./packed-packages.ts";
import { makeProject, type Project } from "./release/project.ts";

const CLIENT = "@modelcontextprotocol/client@2.4.0";
const TOKEN = "of-the-guard";
const DRIFT = 1;

/** A folder in which one user works. */
interface User {
  readonly hosted: HostedServer;
  readonly folder: string;
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

function install(): Project {
  const project = makeProject(mkdtempSync(join(tmpdir(), "hosted-")));
  project.install(...packPackages(withDependencies(["agentprint"], publicPackages()), project.folder).values(), CLIENT);
  copyFileSync(join(REPOSITORY, "apps/scripts/src/mcp-client.mjs"), join(project.folder, "client.mjs"));
  return project;
}

function userOf({ folder: project, bin }: Project, hosted: HostedServer, name: string): User {
  const folder = join(project, name);
  mkdirSync(folder);
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, "state"),
    AGENTPRINT_TOKEN_STORE: "file",
    AGENTPRINT_GUARD_TOKEN: TOKEN,
    MCP_SECRET: hosted.secret,
  };
  return { hosted, folder, command: bin("agentprint"), env };
}

/** Runs a program while the server in this process answers; returns its output. */
async function run({ folder, env }: User, program: string, words: readonly string[], code = 0): Promise<string> {
  const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.on("data", (chunk: Buffer) => {
    const address = /^http\S+\/auth\?\S+$/m.exec(chunk.toString())?.[0];
    if (address !== undefined) void browse(address);
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assert.equal(status, code, `${[program, ...words].join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** Logs in, and then pins, checks, changes, approves and guards the server. */
async function walk(user: User, ...login: readonly string[]): Promise<void> {
  const { hosted, command } = user;
  const agentprint = (code: number, ...words: string[]): Promise<string> => run(user, command, words, code);
  await agentprint(0, "login", hosted.oidc.server, ...login);
  await agentprint(0, "pin", "--name", "hosted", "--url", hosted.oidc.server);
  await agentprint(0, "check");
  hosted.change = (server) =>
    void server.registerTool("forecast", { description: "Weather of tomorrow" }, () => ({ content: [] }));
  assert.match(await agentprint(DRIFT, "check"), /forecast/);
  await agentprint(0, "approve", "hosted", "--yes");
  await agentprint(0, "check");
  await guard(user);
  await agentprint(0, "logout", "hosted");
  // After the logout, the check fails instead of asking a person to log in.
  await agentprint(2, "check");
  hosted.change = () => undefined;
  console.log(`logged in, pinned, checked, approved and guarded: ${login.join(" ")}`);
}

async function guard(user: User): Promise<void> {
  const { folder: cwd, env, command, hosted } = user;
  const words = [command, "guard", "--http", "127.0.0.1:0", "hosted", "--login"];
  const says = /the guard answers at (http:\S+)/;
  const { url, end } = await startService({ words, cwd, env, output: "stderr", says });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const call = { name: "weather", arguments: { city: "Oslo" } };
  const answered = await run(user, process.execPath, ["../client.mjs", JSON.stringify({ url, headers, call })]);
  assert.deepEqual(JSON.parse(answered), { tools: 2, text: "sunny" });
  assert.equal(
    hosted.oidc.seen.some((sent) => sent.includes(TOKEN)),
    false,
  );
  await end();
}

const started = performance.now();
const project = install();
const hosted = await hostedServer();
try {
  await walk(userOf(project, hosted, "person"), "--no-browser");
  hosted.oidc.seen.length = 0;
  hosted.oidc.proofs = { nonce: "first", seen: new Set() };
  await walk(userOf(project, hosted, "ci"), ...CI);
  assert.equal(
    hosted.oidc.seen.every((sent) => sent.startsWith("DPoP ")),
    true,
  );
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
} finally {
  killServices();
  await hosted.oidc[Symbol.asyncDispose]();
  rmSync(project.folder, { recursive: true, force: true });
}

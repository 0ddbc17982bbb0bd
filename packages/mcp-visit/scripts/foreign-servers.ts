// Visits servers made with the official Python and Go libraries and with fastmcp, over stdio and over HTTP, in both
// eras, and also a fastmcp server behind its own login. Fails if one of the servers cannot be pinned completely.
// Reports and skips programs that the machine lacks.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LockedServer, lockServer } from "@agentprint/mcp-lock";
import {
  DEFAULT_CLIENT,
  DEFAULT_LIMITS,
  DEFAULT_SETTLE,
  type HttpTarget,
  VisitError,
  type VisitOptions,
  type VisitTarget,
  visitServer,
} from "@agentprint/mcp-visit";
import { authorizationFor } from "./scripted-login.ts";

const FOREIGN = fileURLToPath(new URL("foreign/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "foreign-servers-"));

interface Made {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly path: string;
  /** The eras of each transport; the Go library serves the newer era only over stdio. */
  readonly http: readonly string[];
  /** Whether the server can require its own login. */
  readonly login: boolean;
}

const OPTIONS: VisitOptions = {
  client: DEFAULT_CLIENT,
  views: ["client", "bare"],
  protocol: "auto",
  settle: DEFAULT_SETTLE,
  contents: true,
  limits: DEFAULT_LIMITS,
};
const BOTH = ["legacy", "modern"];
let failed = 0;
let visited = 0;
try {
  for (const server of [...python("mcp"), ...python("fastmcp"), ...go()]) {
    const overStdio = await visit(server, stdioTarget(server), BOTH);
    await overHttp(server, [], async (url) => {
      const pinned = await visit(server, httpTarget(url), server.http);
      requireTools(`${server.name} over HTTP`, pinned, overStdio);
    });
    if (server.login) await overHttp(server, ["login"], (url) => visitBehindLogin(server, url, overStdio));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${visited} visits, ${failed} failed`);
process.exitCode = failed > 0 || visited === 0 ? 1 : 0;

function python(name: "mcp" | "fastmcp"): Made[] {
  const venv = join(folder, name);
  if (spawnSync("python3", ["-m", "venv", venv]).status !== 0) return skip(name, "python3 with venv is not installed");
  const bin = join(venv, "bin", "python");
  const install = [
    bin,
    "-m",
    "pip",
    "install",
    "-q",
    "--no-compile",
    "-r",
    join(FOREIGN, `requirements-${name}.txt`),
  ] as const;
  run(install);
  return [
    {
      name: `Python ${name}`,
      command: [bin, join(FOREIGN, `server_${name}.py`)],
      path: "/mcp",
      http: BOTH,
      login: name === "fastmcp",
    },
  ];
}

function go(): Made[] {
  if (spawnSync("go", ["version"]).status !== 0) return skip("Go", "go is not installed");
  const bin = join(folder, "go-server");
  run(["go", "-C", join(FOREIGN, "go"), "build", "-o", bin, "."]);
  return [{ name: "Go", command: [bin], path: "/", http: ["legacy"], login: false }];
}

function skip(name: string, why: string): [] {
  console.log(`skipped ${name}: ${why}`);
  return [];
}

function run([command, ...args]: readonly [string, ...string[]]): void {
  const { status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

function stdioTarget({ command: [command, ...args] }: Made): VisitTarget {
  const launch = { type: "stdio", command, args, env: [] } as const;
  return { ...launch, launch: { ...launch, args: [...args], env: [] }, env: {} };
}

function httpTarget(url: string): HttpTarget {
  return { type: "http", launch: { type: "http", url, headers: [] }, url, headers: {} };
}

/** Runs the server over HTTP while `use` visits it. */
async function overHttp(
  { command: [command, ...args], path }: Made,
  options: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const child = spawn(command, [...args, String(port), ...options], { stdio: "ignore" });
  try {
    const url = `http://127.0.0.1:${port}${path}`;
    await answers(url, child);
    await use(url);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Requires that the server show nothing without a login, and with a login the same tools as over stdio. */
async function visitBehindLogin(server: Made, url: string, overStdio: LockedServer | undefined): Promise<void> {
  const target = httpTarget(url);
  const refused = await visitServer(target, OPTIONS).then(
    () => "nothing",
    (error: unknown) => (error instanceof VisitError ? `${error.details.httpStatus}` : String(error)),
  );
  if (refused !== "401") fail(`${server.name} without its login: ${refused} instead of 401`);
  const named = { ...server, name: `${server.name} with its login` };
  const authorization = authorizationFor(url, "login", {});
  requireTools(named.name, await visit(named, { ...target, authorization }, server.http), overStdio);
}

function requireTools(name: string, pinned: LockedServer | undefined, overStdio: LockedServer | undefined): void {
  if (pinned?.toolsDigest !== overStdio?.toolsDigest) fail(`${name}: other tools than over stdio`);
}

async function visit({ name }: Made, target: VisitTarget, eras: readonly string[]): Promise<LockedServer | undefined> {
  visited++;
  try {
    const answers = await visitServer(target, OPTIONS);
    const entry = lockServer(name, answers);
    const found = [...new Set(entry.sessions.map(({ session }) => session.split("/")[0]))];
    const tools = entry.tools.map(({ definition, seenBy }) => `${definition["name"]}${seenBy ? " (divergent)" : ""}`);
    console.log(
      `${name} over ${target.type}: ${found.join(" and ")}, ${tools.join(", ")}, ${entry.contents.length} contents`,
    );
    if (found.join() !== eras.join() || tools.join() !== "add")
      fail(`${name} over ${target.type}: expected ${eras.join(" and ")}, add`);
    return entry;
  } catch (error) {
    fail(`${name} over ${target.type}: ${error}`);
    return undefined;
  }
}

function fail(why: string): void {
  failed++;
  console.log(`FAILED ${why}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Waits until something answers at the address, as long as the process is running. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (child.exitCode === null && Date.now() < deadline) {
    const isUp = await fetch(url).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing answers at ${url}`);
}

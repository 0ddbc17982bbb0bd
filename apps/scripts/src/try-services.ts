// Starts the programs that answer clients, from the packed packages in an empty folder, as a stranger would: the guard
// over HTTP, the registry, and the MCP server in each configuration on its page. The clients are the official one and
// the command line.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY_MANIFEST } from "@agentprint/testing/manifest/empty-manifest";
import { killServices, type Service, startService } from "@agentprint/testing/service-process";
import { packPackages, publicPackages, REPOSITORY, withDependencies } from "./packed-packages.ts";

const OWN = ["agentprint", "@agentprint/registry", "@agentprint/mcp-server"];
const OTHERS = ["@modelcontextprotocol/client", "@modelcontextprotocol/server-filesystem@2026.7.4"];

const folder = mkdtempSync(join(tmpdir(), "services-"));
const bin = (name: string): string => join(folder, "node_modules", ".bin", name);
const env = {
  AGENTPRINT_REGISTRY_PORT: "0",
  AGENTPRINT_MCP_PORT: "0",
  AGENTPRINT_TRAIL_URL: `file:${join(folder, "trail.db")}`,
};

function run(program: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): string {
  const options = { cwd: folder, encoding: "utf8", env: { ...process.env, ...env, ...more } } as const;
  return execFileSync(program, words, { ...options, stdio: ["ignore", "pipe", "inherit"] });
}

function ask(what: object): { readonly tools: number; readonly text?: string } {
  return JSON.parse(run(process.execPath, ["client.mjs", JSON.stringify(what)])) as { tools: number; text?: string };
}

function expectSame(what: string, received: unknown, expected: unknown): void {
  if (received !== expected) throw new Error(`${what}: expected ${expected}, received ${received}`);
  console.log(`${what}: ${expected}`);
}

/** Uses a service while it runs, and ends it as an operator does; returns its exit code. */
async function whileRunning(service: Omit<Service, "cwd" | "env">, use: (url: string) => void): Promise<number | null> {
  const { url, end } = await startService({ ...service, cwd: folder, env });
  use(url);
  return end();
}

function install(): void {
  const packages = publicPackages();
  const tarballs = packPackages(withDependencies(OWN, packages), folder);
  run("npm", ["init", "--yes"]);
  run("npm", ["install", "--no-audit", "--no-fund", ...tarballs.values(), ...OTHERS]);
  copyFileSync(join(REPOSITORY, "apps/scripts/src/mcp-client.mjs"), join(folder, "client.mjs"));
  writeFileSync(join(folder, "plan.txt"), "Friday");
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(EMPTY_MANIFEST));
}

async function guard(): Promise<void> {
  const server = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
  run(bin("agentprint"), ["pin", "--name", "files", "--", "node", server, "."]);
  const words = [bin("agentprint"), "guard", "--http", "127.0.0.1:0", "files"];
  const exitCode = await whileRunning({ words, output: "stderr", says: /the guard answers at (http:\S+)/ }, (url) => {
    const { tools, text } = ask({ url, call: { name: "read_text_file", arguments: { path: "plan.txt" } } });
    expectSame("tools through the guard", tools, 14);
    expectSame("what the guard lets through", text, "Friday");
  });
  // The signal that the guard received ends it.
  expectSame("exit code of the guard", exitCode, null);
}

async function registry(): Promise<void> {
  const key = /hsk_\S+/.exec(run(bin("agentprint-registry"), ["keys", "issue", "--every-agent"]))?.[0];
  const words = [bin("agentprint-registry")];
  const exitCode = await whileRunning(
    { words, output: "stdout", says: /^The registry answers at (http:\S+)$/ },
    (url) => {
      const words = ["manifest", "publish", "manifest.json", "--registry", url, "--agent", "demo", "--create"];
      const said = run(bin("agentprint"), words, { AGENTPRINT_PUBLISH_TOKEN: key });
      expectSame("publishing", said.includes("published as version 1 of demo"), true);
    },
  );
  expectSame("exit code of the registry", exitCode, 0);
  // The records are the version, the issued key and the new signer.
  const verified = run(bin("agentprint"), ["trail", "verify", "file:registry.db"]);
  expectSame("the trail of the registry", verified.includes("3 records in 2 chains, all intact"), true);
}

/** Tries the MCP server over HTTP, and in the configuration of each client that uses JSON. */
async function mcpServer(): Promise<void> {
  const page = readFileSync(join(REPOSITORY, "apps/mcp-server/clients.md"), "utf8");
  const launches = new Set(
    [...page.matchAll(/"command": "(\w+)",\s*"args": (\[[^\]]*\])/g)].map(([all]) => `{${all}}`),
  );
  if (launches.size === 0) throw new Error("apps/mcp-server/clients.md: expected a command");
  for (const launch of launches) {
    const { tools } = ask({
      launch: { ...(JSON.parse(launch) as object), cwd: folder, env: { ...process.env, ...env } },
    });
    expectSame(`tools of ${launch.replaceAll(/\s+/g, " ")}`, tools, 11);
  }
  const words = [bin("agentprint-mcp-server"), "--http"];
  const exitCode = await whileRunning(
    { words, output: "stderr", says: /^The MCP server answers at (http:\S+)$/ },
    (url) => expectSame("tools of the MCP server over HTTP", ask({ url }).tools, 11),
  );
  expectSame("exit code of the MCP server", exitCode, 0);
}

try {
  install();
  await guard();
  await registry();
  await mcpServer();
} finally {
  killServices();
  rmSync(folder, { recursive: true, force: true });
}

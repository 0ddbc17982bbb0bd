// Pins, checks, wraps and guards a server with the packed command, on the current system, as a stranger would. Both the
// command and the server are started through the files that npm writes into `node_modules/.bin`, which on Windows are
// `.cmd` files.
import { strict as assert } from "node:assert";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packPackages, publicPackages, REPOSITORY, withDependencies } from "./packed-packages.ts";
import { makeProject, type Project } from "./release/project.ts";

const SERVER = "@modelcontextprotocol/server-filesystem@2026.7.4";
const CLIENT = "@modelcontextprotocol/client";
const CONFIGURATION = ".mcp.json";
const TOOLS = 14;

/** A launch in the form that clients write. */
interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

function install(project: Project): void {
  const packages = publicPackages();
  const tarballs = packPackages(withDependencies(["agentprint"], packages), project.folder);
  project.install(...tarballs.values(), SERVER, CLIENT);
  copyFileSync(join(REPOSITORY, "apps/scripts/src/mcp-client.mjs"), join(project.folder, "client.mjs"));
  writeFileSync(join(project.folder, "plan.txt"), "Friday");
}

/** Returns the answers that a client gets from the server of the configuration. */
function ask({ folder, run }: Project): { readonly tools: number; readonly text: string } {
  const { mcpServers } = JSON.parse(readFileSync(join(folder, CONFIGURATION), "utf8")) as {
    mcpServers: { files: Launch };
  };
  const call = { name: "read_text_file", arguments: { path: "plan.txt" } };
  const { stdout } = run(process.execPath, ["client.mjs", JSON.stringify({ launch: mcpServers.files, call })]);
  return JSON.parse(stdout) as { tools: number; text: string };
}

function use(project: Project): void {
  const { folder, run, bin } = project;
  const agentprint = (...words: string[]): string => run(bin("agentprint"), words).stdout;
  const server: Launch = { command: bin("mcp-server-filesystem"), args: ["."] };
  agentprint("pin", "--name", "files", "--", server.command, ...server.args);
  agentprint("check");
  console.log("pinned and checked");
  const file = join(folder, CONFIGURATION);
  const configuration = JSON.stringify({ mcpServers: { files: server } }, null, 2);
  writeFileSync(file, configuration);
  agentprint("wrap", "--mcp-config", CONFIGURATION);
  assert.notEqual(readFileSync(file, "utf8"), configuration);
  assert.deepEqual(ask(project), { tools: TOOLS, text: "Friday" });
  console.log("wrapped, and called through the guard");
  agentprint("unwrap", "--mcp-config", CONFIGURATION);
  assert.equal(readFileSync(file, "utf8"), configuration);
  console.log("unwrapped, byte for byte");
}

const folder = mkdtempSync(join(tmpdir(), "platform-"));
try {
  const project = makeProject(join(folder, "two words"));
  install(project);
  use(project);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

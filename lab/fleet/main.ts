// Gives the settings from docs/fleet.md to the newest clients from npm, and asks each client which servers it allows:
// `pnpm test:long fleet`. This needs Linux, and root access for a separate mount namespace in which /etc contains these
// files. No server is started, because `npx` is replaced by a program that fails.
import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { makeProject, type Run, runIn } from "../../apps/scripts/src/release/project.ts";

const CLAUDE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
const CLIENTS = [CLAUDE, "@openai/codex", "@google/gemini-cli"];
const MOUNT = 'mount -t tmpfs tmpfs /mnt && cp -a /etc /mnt/etc && mount --bind /mnt/etc /etc && exec "$@"';
const OWN = { command: "own-server", args: ["own"] };
const files = new Map(blocksOf("docs/fleet.md").map(({ file, code }) => [file, code]));

function install(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, files.get(path) ?? "");
}

function tryClaude(run: Run, program: string): void {
  const managed = "/etc/claude-code/managed-mcp.json";
  install(managed);
  const { stdout } = run(program, ["mcp", "list"]);
  assert.match(stdout, /^files: npx -y agentprint@/m);
  assert.doesNotMatch(stdout, /own/);
  rmSync(managed);
  const settings = "/etc/claude-code/managed-settings.json";
  install(settings);
  const add = (name: string, words: readonly string[], code: number): void => {
    run(program, ["mcp", "add", "--scope", "user", name, "--", ...words], { code });
  };
  const { allowedMcpServers } = JSON.parse(readFileSync(settings, "utf8")) as {
    allowedMcpServers: { serverCommand: string[] }[];
  };
  const words = allowedMcpServers[0]?.serverCommand ?? [];
  add("files", words, 0);
  add("more", [...words, "more"], 1);
  add("own", [OWN.command, ...OWN.args], 1);
}

function tryCodex(run: Run, program: string): void {
  install("/etc/codex/requirements.toml");
  install("/etc/codex/config.toml");
  const servers = JSON.parse(run(program, ["mcp", "list", "--json"]).stdout) as { name: string; enabled: boolean }[];
  assert.deepEqual(
    servers.map(({ name, enabled }) => [name, enabled]),
    [
      ["files", true],
      ["own", false],
    ],
  );
}

function tryGemini(run: Run, program: string): void {
  install("/etc/gemini-cli/settings.json");
  const { stdout, stderr } = run(program, ["mcp", "list"]);
  const said = stdout + stderr;
  assert.match(said, /own: .* Blocked/);
  assert.match(said, /files: npx -y agentprint@.* Disconnected/);
}

/** Asks the clients in a mount namespace with its own /etc. */
function askClients(folder: string): void {
  const write = (path: string, text: string, mode = 0o600): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  write("bin/npx", "#!/bin/sh\nexit 1\n", 0o700);
  const own = { mcpServers: { own: OWN } };
  write("home/.claude.json", JSON.stringify(own));
  write("home/.gemini/settings.json", JSON.stringify(own));
  write("home/.codex/config.toml", `[mcp_servers.own]\ncommand = "${OWN.command}"\n`);
  const path = [join(folder, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const home = join(folder, "home");
  const run = runIn(home, {
    PATH: path,
    HOME: home,
    CODEX_HOME: join(home, ".codex"),
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  });
  const modules = join(folder, "clients/node_modules");
  tryClaude(run, join(modules, CLAUDE, "claude"));
  tryCodex(run, join(modules, ".bin/codex"));
  tryGemini(run, join(modules, ".bin/gemini"));
  for (const name of CLIENTS) {
    const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")) as { version: string };
    console.log(`${name} ${version}: starts only the guarded server`);
  }
}

const [inside] = process.argv.slice(2);
if (inside !== undefined) askClients(inside);
else {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  try {
    makeProject(join(folder, "clients")).install("--ignore-scripts", ...CLIENTS);
    const self = [process.execPath, fileURLToPath(import.meta.url), folder];
    console.log(runIn(folder, {})("unshare", ["--mount", "sh", "-c", MOUNT, "sh", ...self]).stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

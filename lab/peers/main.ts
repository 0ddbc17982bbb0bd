/**
 * Pins a server with each command on PyPI that does this, in its strictest mode, edits the server and checks whether
 * the command notices: `pnpm --filter lab peers` writes the table in `docs/comparisons.md`.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";

const ROOT = new URL("../../", import.meta.url);
const PAGE = new URL("docs/comparisons.md", ROOT);
const SERVER = fileURLToPath(new URL("edited-server.mjs", import.meta.url));
const CLI = fileURLToPath(new URL("apps/cli/dist/main.js", ROOT));
const TIMEOUT_MS = 120_000;
const NONE = "none";

/** The edits, which are made one at a time, in the order of the table. */
const EDITS = [
  ...["description of a tool", "description of a parameter", "new parameter", "output schema", "hint of a tool"],
  ...[
    "title of a tool",
    "metadata of a tool",
    "new tool",
    "instructions",
    "description of a prompt",
    "text of a prompt",
  ],
  ...["description of a resource", "description of a template", "text of a resource", "code of the server"],
];

/**
 * A command that pins a server and compares it later; its exit code is 0 if nothing changed, and 1 if something
 * changed.
 */
interface Peer {
  readonly name: string;
  /** The version on PyPI; absent for the command of this commit. */
  readonly version?: string;
  readonly pin: readonly string[];
  readonly check: readonly string[];
}

/**
 * The rules of mcp-pin about changes since approval; its other rules judge a server's current state, whether the server
 * changed or not.
 */
const CHANGES = ["014", "015", "016", "019", "020", "031", "036"].flatMap((rule) => ["--only", `MCPA${rule}`]);
const LAUNCH = [process.execPath, "server.mjs"];
const ONLY = ["--config", ".mcp.json"];
const PEERS: readonly Peer[] = [
  {
    name: "agentprint",
    pin: [process.execPath, CLI, "pin", "--name", "edited", "--", ...LAUNCH],
    check: [process.execPath, CLI, "check"],
  },
  {
    name: "mcp-warden-cli",
    version: "2.2.0",
    pin: ["mcp-warden", "pin", "--", ...LAUNCH],
    check: ["mcp-warden", "check", "--", ...LAUNCH],
  },
  {
    name: "mcplock",
    version: "1.0.3",
    pin: ["mcplock", "snapshot", LAUNCH.join(" ")],
    check: ["mcplock", "check", "--fail-on", "informational", LAUNCH.join(" ")],
  },
  {
    name: "mcpdrift",
    version: "0.1.0",
    pin: ["mcpdrift", "snapshot", ...ONLY, "--server", "edited", "--out", "mcp.lock.json"],
    check: ["mcpdrift", "check", ...ONLY, "--lock", "mcp.lock.json"],
  },
  {
    name: "mcp-pin",
    version: "0.1.8",
    pin: ["mcp-pin", "approve", "--no-user-configs", "--probe", "--yes", "."],
    check: ["mcp-pin", "scan", "--no-user-configs", "--probe", ...CHANGES, "--fail-on", "info", "."],
  },
];

/** Runs a command in a folder that is also its home folder, and returns its exit code. */
function run(folder: string, [program = "", ...words]: readonly string[], path: string): number | null {
  const env = { PATH: `${path}:${process.env["PATH"]}`, HOME: folder, CI: "true" };
  return spawnSync(program, words, { cwd: folder, env, timeout: TIMEOUT_MS, stdio: "ignore" }).status;
}

/** Returns whether a command notices an edit. */
function notices(edit: string, { name, pin, check }: Peer, path: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "edited-"));
  try {
    copyFileSync(SERVER, join(folder, "server.mjs"));
    writeFileSync(join(folder, "edit.txt"), NONE);
    const servers = { edited: { command: LAUNCH[0], args: LAUNCH.slice(1) } };
    writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
    writeFileSync(
      join(folder, "agentprint.config.json"),
      JSON.stringify({ preset: "strict", visits: { contents: true } }),
    );
    const pinned = run(folder, pin, path);
    if (pinned !== 0) throw new Error(`${name} did not pin the server: ${pinned}`);
    writeFileSync(join(folder, "edit.txt"), edit);
    if (edit === "code of the server") appendFileSync(join(folder, "server.mjs"), "\n// another line\n");
    const code = run(folder, check, path);
    if (code !== 0 && code !== 1) throw new Error(`${name} could not compare (${edit}): ${code}`);
    return code === 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const venv = mkdtempSync(join(tmpdir(), "peers-"));
try {
  mkdirSync(join(venv, "bin"), { recursive: true });
  const wanted = PEERS.flatMap(({ name, version }) => (version ? [`${name}==${version}`] : []));
  for (const [program, ...words] of [
    ["python3", "-m", "venv", venv],
    [join(venv, "bin/pip"), "install", "--quiet", ...wanted],
  ] as const) {
    if (spawnSync(program, words, { stdio: "inherit" }).status !== 0) throw new Error(`${program} failed`);
  }
  const path = join(venv, "bin");
  for (const peer of PEERS) if (notices(NONE, peer, path)) throw new Error(`${peer.name} reports a false change`);
  const rows = EDITS.map((edit) => [edit, ...PEERS.map((peer) => (notices(edit, peer, path) ? "noticed" : "–"))]);
  const counts = PEERS.map((_, column) => `**${rows.filter((row) => row[column + 1] === "noticed").length}**`);
  const header = ["edit", ...PEERS.map(({ name, version }) => (version ? `${name} ${version}` : name))];
  const date = new Date().toISOString().slice(0, "2026-01-01".length);
  const table = `Run on ${date}.\n\n${markdownTable(header, [...rows, [`of ${EDITS.length}`, ...counts]])}`;
  writeFileSync(PAGE, withPart(readFileSync(PAGE, "utf8"), "edits", table));
  console.log(table);
} finally {
  rmSync(venv, { recursive: true, force: true });
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { serverScript, switchVersion } from "../../demo/installed-server.ts";
import { TRANSCRIPTS } from "../../demo/transcripts.ts";
import { run } from "../../src/run-program.ts";
import { callOf, Guarded, INITIALIZE } from "../guard/guarded.ts";
import { Collector, memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const PICTURES = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url));
/** The sequence with which a terminal erases a line, such as a line of progress. */
const ERASE = "\r\u001b[2K";

const [space, home] = [new Workspace(), new Workspace()];
afterAll(() => {
  for (const each of [space, home]) each[Symbol.dispose]();
});

/**
 * Writes a client's configuration whose server is behind a launcher such as `npx`, so that an update does not change
 * the command.
 */
function configure(link: string): void {
  const args = ["files.mjs", "."];
  writeFileSync(space.path(".mcp.json"), JSON.stringify({ mcpServers: { files: { command: "node", args } } }));
  const script = serverScript(link).slice(space.folder.length + 1);
  writeFileSync(space.path("files.mjs"), `await import("./${script}");\n`);
}

/** Runs the command on a terminal, and returns what a person then sees. */
async function shownBy(args: readonly string[], exitCode: number): Promise<string> {
  const { columns } = TRANSCRIPTS["first-minute"];
  const terminal = Object.assign(new Collector(), { isTTY: true, columns });
  const env = { TERM: "xterm", HOME: home.folder, USERPROFILE: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" };
  expect(await run(memoryContext(args, { cwd: space.folder, env, visits: { settle: 0 } }, terminal, terminal))).toBe(
    exitCode,
  );
  const seen = terminal.text.split("\n").map((line) => line.split(ERASE).at(-1));
  return `\u001b[2m$\u001b[22m npx agentprint ${args.join(" ")}\n${seen.join("\n")}`;
}

/** Calls a tool as a client that starts the guard instead of the server, and returns the text of the error. */
async function refusalOf(name: string, args: object): Promise<string> {
  await using guarded = await Guarded.start(space, "files");
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send({ jsonrpc: "2.0", method: "notifications/initialized" }, callOf(1, name, args));
  for (;;) {
    const { id, result } = JSON.parse(await guarded.line());
    if (id !== 1) continue;
    expect(result.isError).toBe(true);
    return result.content[0].text;
  }
}

test("the transcripts are those of init, of a check after an update, and of a call that the guard refuses", async () => {
  const link = space.path(join("node_modules", "server-filesystem"));
  switchVersion(link, "server-filesystem-2026-1-14");
  configure(link);
  const init = await shownBy(["init", "--yes"], 0);
  switchVersion(link, "server-filesystem-2026-7-4");
  const update = "\u001b[2m# weeks later, after an update of the server\u001b[22m";
  const check = await shownBy(["check"], 1);
  await expect(`${init}${update}\n${check}`).toMatchFileSnapshot(join(PICTURES, "first-minute.txt"));

  const call = { source: "notes.txt", destination: "gone.txt" };
  const lines = [
    "\u001b[2m# the update came overnight, and a model calls the tool that changed\u001b[22m",
    `→ tools/call \u001b[1mmove_file\u001b[22m ${JSON.stringify(call)}`,
    `\u001b[31m${await refusalOf("move_file", call)}\u001b[39m`,
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(PICTURES, "guard-refusal.txt"));
});

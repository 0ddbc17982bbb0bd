import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseLock } from "@agentprint/mcp-lock";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashTable } from "../demo/hash-table.ts";
import { serverScript, switchVersion } from "../demo/installed-server.ts";
import { THEMES, terminalPicture } from "../demo/terminal-picture.ts";
import { TRANSCRIPTS } from "../demo/transcripts.ts";
import { run } from "../src/run-program.ts";
import { Collector, memoryContext, runCli } from "./support/run-cli.ts";
import { ONE_ERA } from "./support/short-visits.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const README = join(ROOT, "README.md");
const COLUMNS = 98;

const folder = mkdtempSync(join(tmpdir(), "agentprint-picture-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let shown = "";
let rows: ReturnType<typeof hashTable> = [];

/** Returns a tool's entry in the lock. */
function locked(name: string) {
  const [server] = parseLock(readFileSync(join(folder, "agentprint.lock"))).servers;
  return server?.tools.find(({ definition }) => definition["name"] === name) ?? expect.fail(`no tool ${name}`);
}

// The demo: one hint of one tool was inverted, and nothing else that a model sees was changed.
beforeAll(async () => {
  const link = join(folder, "node_modules", "server-filesystem");
  switchVersion(link, "server-filesystem-2026-1-14");
  const script = serverScript(link).slice(folder.length + 1);
  const pin = ["pin", "--replace", "--name", "filesystem", "--", "node", script, "."];
  const options = { cwd: folder, visits: { settle: 0, ...ONE_ERA } };
  expect(await runCli(pin, options)).toMatchObject({ code: 0 });
  const before = locked("move_file");
  switchVersion(link, "server-filesystem-2026-7-4");
  const terminal = Object.assign(new Collector(), { isTTY: true, columns: COLUMNS });
  expect(await run(memoryContext(["check"], { ...options, env: { TERM: "xterm" } }, terminal))).toBe(1);
  shown = `\u001b[2m$\u001b[22m npx agentprint check\n${terminal.text}\u001b[2mexit code 1\u001b[22m`;
  expect(await runCli(pin, options)).toMatchObject({ code: 0 });
  rows = hashTable(before, locked("move_file"));
});

test.each(["light", "dark"] as const)("the picture of a report shows the output of check: %s", async (theme) => {
  const title = "agentprint check reports that move_file of the filesystem server may now destroy data";
  const picture = terminalPicture(title, shown, COLUMNS, THEMES[theme]);
  await expect(picture).toMatchFileSnapshot(join(ROOT, `docs/pictures/drift-report-${theme}.svg`));
});

test.each(Object.entries(TRANSCRIPTS))(
  "the moving picture of %s is made of its transcript",
  async (name, transcript) => {
    const shown = readFileSync(join(ROOT, `docs/pictures/${name}.txt`), "utf8").trimEnd();
    for (const theme of ["light", "dark"] as const) {
      const picture = terminalPicture(transcript.title, shown, transcript.columns, THEMES[theme], true);
      expect(picture.length).toBeLessThan(40_000);
      await expect(picture).toMatchFileSnapshot(join(ROOT, `docs/pictures/${name}-${theme}.svg`));
    }
  },
);

test("the README has the table of hashes that detect the change", async () => {
  const cells = rows.map(({ name, before, after, changed }) => [
    name,
    `\`${before}\``,
    `\`${after}\``,
    changed ? "**sees it**" : "same",
  ]);
  const table = markdownTable(["hash of", "before", "after", ""], cells);
  await expect(withPart(readFileSync(README, "utf8"), "hashes", table)).toMatchFileSnapshot(README);
});

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { spawnCli } from "./support/spawn-cli.ts";
import { Workspace } from "./support/workspace.ts";

const SERVER = fileURLToPath(new URL("./hostile/terminal-escapes.mjs", import.meta.url));

/** Says on stderr when the shell that lets a server run has ended, and when the modules that report or lock files are loaded. */
const SPY = `
  import { subscribe } from "node:diagnostics_channel";
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  subscribe("child_process", ({ process }) => process.once("exit", () => writeSync(2, "server runs\\n")));
  registerHooks({
    load(url, context, next) {
      if (url.endsWith("/check-result.ts")) writeSync(2, "report loaded\\n");
      if (url.includes("/proper-lockfile/")) writeSync(2, "mutex loaded\\n");
      return next(url, context);
    },
  });`;

test("a check lets its servers run before it loads what reports, and loads nothing that locks files", async () => {
  using workspace = new Workspace();
  expect((await workspace.run(["pin", "--name", "it", "--", process.execPath, SERVER])).code).toBe(0);
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SPY)}` };
  const checked = await spawnCli(["check", "--settle", "0"], { cwd: workspace.folder, env });
  // One process of each era.
  expect(checked).toMatchObject({ code: 0, stderr: "server runs\nserver runs\nreport loaded\n" });
});

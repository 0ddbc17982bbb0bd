import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type DriftReport, type LockedTool, parseLock } from "@agentprint/mcp-lock";
import pc from "picocolors";
import { hashTable } from "./hash-table.ts";
import { serverScript, switchVersion } from "./installed-server.ts";
import { tellOfRegistry } from "./registry-act.ts";
import { expectStory, heading, run, StoryError, say, show } from "./story.ts";

const folder = mkdtempSync(join(tmpdir(), "agentprint-demo-"));
const link = join(folder, "node_modules", "server-filesystem");

try {
  tell();
  await tellOfRegistry(6);
  console.log(`\n${pc.green("The story came out as told.")}`);
} catch (error) {
  if (!(error instanceof StoryError)) throw error;
  console.error(`\n${pc.red("The story came out differently:")} ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tell(): void {
  console.log(pc.bold("A real change in a real MCP server"));

  heading(1, "You review @modelcontextprotocol/server-filesystem 2026.1.14 and pin it.");
  switchVersion(link, "server-filesystem-2026-1-14");
  const launch = ["node", serverScript(link).slice(folder.length + 1), "."];
  show(folder, ["pin", "--name", "filesystem", "--", ...launch], 0);
  const before = moveFile();

  heading(2, "Months later an update brings 2026.7.4.");
  say("The launch command is the same. No name, description or schema of a tool changed.");
  switchVersion(link, "server-filesystem-2026-7-4");

  heading(3, "The check before the next release stops it.");
  show(folder, ["check"], 1);
  const report = JSON.parse(run(folder, ["check", "--format", "json"], 1)) as DriftReport;
  const server = report.servers[0];
  expectStory(
    isDeepStrictEqual(
      server?.drifts.filter(({ type }) => type === "tool-changed").map((drift) => "changes" in drift && drift.changes),
      [
        [
          {
            layer: "hints",
            pointer: "/annotations/destructiveHint",
            before: false,
            after: true,
            effects: ["more-power"],
          },
        ],
      ],
    ),
    "the one difference of a tool should be move_file's destructiveHint, false → true, towards more power",
  );

  heading(4, "You read the difference and take exactly that state.");
  show(folder, ["approve", "filesystem", "--expect", server?.digest.after ?? ""], 0);
  show(folder, ["check"], 0);

  heading(5, "Which hash of move_file would have seen it?");
  const rows = hashTable(before, moveFile());
  for (const { line } of rows) console.log(`   ${line}`);
  expectStory(
    rows
      .filter(({ changed }) => changed)
      .map(({ name }) => name)
      .join() === "hints,wire",
    "only the digests of hints and of the whole tool should differ",
  );
  say("move_file may destroy data, and its server had said that it does not. A client that asks");
  say("before destructive calls would not have asked. Now it does, and you know since when.");
}

function moveFile(): LockedTool {
  const lock = parseLock(readFileSync(join(folder, "agentprint.lock")));
  const tool = lock.servers[0]?.tools.find(({ definition }) => definition["name"] === "move_file");
  expectStory(tool !== undefined, "the server should have a tool move_file");
  return tool;
}

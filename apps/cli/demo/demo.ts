import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type DriftReport, type LockedTool, parseLock } from "@agentprint/mcp-lock";
import pc from "picocolors";
import { tellOfConfiguration } from "./configuration-act.ts";
import { askThroughGuard } from "./guarded-client.ts";
import { hashTable } from "./hash-table.ts";
import { serverScript, switchVersion } from "./installed-server.ts";
import { tellOfRegistry } from "./registry-act.ts";
import { expectStory, heading, run, StoryError, say, show } from "./story.ts";

const folder = mkdtempSync(join(tmpdir(), "agentprint-demo-"));
const link = join(folder, "node_modules", "server-filesystem");

try {
  tell();
  await tellAtRunTime();
  tellOfConfiguration(folder, 8);
  await tellOfRegistry(10);
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
    "the only difference in a tool should be move_file's destructiveHint, false → true, towards more power",
  );

  heading(4, "You read the difference and accept exactly that state.");
  show(folder, ["approve", "filesystem", "--expect", server?.digest.after ?? ""], 0);
  show(folder, ["check"], 0);

  heading(5, "Which hash of move_file would have seen it?");
  const rows = hashTable(before, moveFile());
  for (const { name, before, after, changed } of rows) {
    console.log(`   ${name.padEnd(32)} ${before}  ${after}  ${changed ? pc.green("sees it") : pc.dim("same")}`);
  }
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

/** Shows the same change when nobody runs a check: the update came overnight, and an agent is at work. */
async function tellAtRunTime(): Promise<void> {
  heading(6, "The same change, now at run time. You review 2026.1.14 behind a launcher such as npx.");
  const lock = ["--lock", "runtime.lock"];
  switchVersion(link, "server-filesystem-2026-1-14");
  writeFileSync(join(folder, "launch.mjs"), `import ${JSON.stringify(serverScript(link))};\n`);
  show(folder, ["pin", ...lock, "--name", "filesystem", "--", "node", "launch.mjs", "."], 0);

  heading(7, "Overnight the launcher brings 2026.7.4. Nobody runs a check, and an agent is at work.");
  say("Its client starts the guard instead of the server.");
  switchVersion(link, "server-filesystem-2026-7-4");
  writeFileSync(join(folder, "notes.txt"), "important");
  const path = (name: string): string => join(folder, name);
  const record = ["--record", "trail", "--record-key", "recorder.key"];
  const guard = ["guard", "filesystem", ...lock, ...record];
  console.log(`\n   ${pc.green("$")} agentprint ${guard.join(" ")}`);
  const move = { source: path("notes.txt"), destination: path("gone.txt") };
  const [list, moved, read] = await askThroughGuard(folder, guard, [
    { method: "tools/list" },
    { method: "tools/call", params: { name: "move_file", arguments: move } },
    { method: "tools/call", params: { name: "read_text_file", arguments: { path: path("notes.txt") } } },
  ]);
  const names = list?.tools?.map(({ name }) => name) ?? [];
  expectStory(
    names.length > 0 && !names.includes("move_file"),
    "the model should be shown the tools without move_file",
  );
  tellLine("the model is shown", `${names.length} tools, and no move_file`);
  expectStory(moved?.isError === true && existsSync(path("notes.txt")), "the call to move_file should be refused");
  tellLine("it calls move_file anyway", moved.content?.[0]?.text ?? "");
  expectStory(read?.content?.[0]?.text === "important", "the other tools should work");
  tellLine("it calls read_text_file", `“${read.content[0].text}”: the other tools work`);
  const refused = run(folder, ["guard", "log", ...record], 0).match(/^.*move_file.*$/m)?.[0] ?? "";
  expectStory(refused.includes("mcp/hint-more-power"), "the record should say why the call was refused");
  tellLine("the record has", refused.trim());
}

function tellLine(what: string, came: string): void {
  console.log(`   ${pc.dim("│")} ${what}: ${pc.bold(came)}`);
}

function moveFile(): LockedTool {
  const lock = parseLock(readFileSync(join(folder, "agentprint.lock")));
  const tool = lock.servers[0]?.tools.find(({ definition }) => definition["name"] === "move_file");
  expectStory(tool !== undefined, "the server should have a tool move_file");
  return tool;
}

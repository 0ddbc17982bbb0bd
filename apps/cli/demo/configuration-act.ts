import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverScript, switchVersion } from "./installed-server.ts";
import { expectStory, heading, run, say, show } from "./story.ts";

/** Changes a client's configuration to the next version of a server, but not the lock. */
export function tellOfConfiguration(parent: string, number: number): void {
  const folder = join(parent, "project");
  mkdirSync(folder);
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=You", "-c", "user.email=you@example.com", ...args], { cwd: folder });
  const hasGit = git("init", "--quiet").status === 0;
  const commit = (message: string): void => {
    if (hasGit) git("add", ".mcp.json", "agentprint.lock", "agentprint.config.json");
    if (hasGit) git("commit", "--quiet", "--message", message);
  };
  const configure = (version: string): void => {
    const link = join(folder, "node_modules", `server-filesystem-${version}`);
    switchVersion(link, `server-filesystem-${version.replaceAll(".", "-")}`);
    const filesystem = { command: "node", args: [serverScript(link).slice(folder.length + 1), "."] };
    writeFileSync(join(folder, ".mcp.json"), `${JSON.stringify({ mcpServers: { filesystem } }, null, 2)}\n`);
  };

  heading(number, "Another project has the server in .mcp.json. You pin what is there, and commit.");
  configure("2026.1.14");
  show(folder, ["init", "--yes", "--scope", "project"], 0);
  commit("Pin the servers");
  show(folder, ["check"], 0);

  heading(number + 1, "A change moves .mcp.json to 2026.7.4. The lock stays as it is.");
  configure("2026.7.4");
  commit("Move to the next version");
  show(folder, ["check"], 2);
  if (hasGit) show(folder, ["check", "--base", "HEAD~1"], 2);
  const { findings, servers } = JSON.parse(run(folder, ["check", "--format", "json"], 2));
  const [{ rule, place, before, after }, unread] = findings;
  const { file, line } = place.location;
  expectStory(
    rule === "mcp/config-launch-changed" && file === ".mcp.json" && line === 6,
    "the first finding should be the launch, with the file and the line that have it",
  );
  expectStory(before.includes("2026.1.14") && after.includes("2026.7.4"), "the finding should contain both launches");
  expectStory(
    findings.length === 2 && unread.couldNotTell && servers[0].failure.code === "not-started",
    "the other finding should be that no server was started",
  );
  say("Clients would start the new version, and nobody has reviewed it. The check did not start it.");
}

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, type ClientId, parseConfig } from "@agentprint/client-configs";
import fc from "fast-check";
import { expect } from "vitest";
import { hostile } from "./hostile.ts";
import { MARK, secretConfigs } from "./secret-configs.ts";
import { Workspace } from "./workspace.ts";

const VISITS = { connectTimeout: 2000, requestTimeout: 2000 };
const FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"];

/** Returns every command and option that reads a client's configuration. */
function commandsFor(id: ClientId, file: string): readonly (readonly string[])[] {
  const reads = ["--mcp-config", file];
  const project = ["--client", id, "--scope", "project"];
  return [
    ["doctor", ...reads],
    ["doctor", ...reads, "--format", "json"],
    ["doctor", "--client", id],
    ["doctor", ...project],
    ["status", ...reads],
    ["status", ...reads, "--format", "json"],
    ["status"],
    ["wrap", ...reads, "--dry-run"],
    ["wrap", "--client", id, "--http", "127.0.0.1:4000", "--dry-run"],
    ["wrap", "--config", file, "--lock", "agentprint.lock"],
    ["wrap", "--client", id, "--http", "127.0.0.1:4000"],
    ["wrap", "--all", "--dry-run"],
    ["unwrap", ...reads, "--dry-run"],
    ["unwrap", "--client", id, "--dry-run"],
    ["unwrap", ...reads],
    ["unwrap", "--client", id],
    ["init", ...reads, "--yes", "--dry-run"],
    ["init", "--client", id, "--yes", "--ci", "none"],
    ["init", ...reads, "--yes", "--pin-versions", "--dry-run"],
    ["init", ...reads],
    ["pin", ...reads],
    ["pin", ...reads, "--name", "files", "--format", "json"],
    ...FORMATS.map((format) => ["check", ...reads, "--format", format]),
    ["check", "files", ...reads, "-o", "report.sarif", "--format", "sarif"],
    ["check", "--config", file],
    ["approve", "files", ...reads, "--yes"],
    ["approve", "--all", "--mcp-config", file],
    ["manifest", "from-mcp", ...reads, "-o", "manifest.json"],
    ["manifest", "validate", file],
    ["rules", "--config", file],
    ["list"],
    ["show", "files"],
  ];
}

/** Returns the files in a folder that hold a secret although they must not. */
function filesWithSecrets(folder: string, allowed: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    const isBackup = /[\\/]wrapped[\\/][0-9a-f]{64}[\\/]before$/.test(path);
    return (
      statSync(path).isFile() && !isBackup && !allowed.includes(path) && readFileSync(path, "latin1").includes(MARK)
    );
  });
}

function expectNoSecret(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  words: readonly string[],
): void {
  const shown = `${stdout}\n${stderr}`;
  const at = shown.indexOf(MARK);
  expect(at === -1 ? "" : shown.slice(Math.max(0, at - 200), at + 100), `agentprint ${words.join(" ")}`).toBe("");
}

/** Returns a workspace with its own home folder, and with a lock that pins a server named `files`. */
async function lockedWorkspace(): Promise<[space: Workspace, env: Readonly<Record<string, string>>]> {
  const space = new Workspace();
  const env = {
    HOME: space.path("home"),
    XDG_STATE_HOME: space.path("state"),
    XDG_CONFIG_HOME: "",
    CODEX_HOME: "",
    COPILOT_HOME: "",
    PATH: "/nowhere",
  };
  writeFileSync(space.path(".env"), `API_KEY=${MARK}1\n`);
  expect((await space.run(["pin", "--name", "files", "--", ...hostile("terminal-escapes")], env)).code).toBe(0);
  return [space, env];
}

/**
 * Runs commands that read a client's configurations, and looks for their secrets on both streams and in every file
 * except the configurations and their backups.
 */
export async function expectSecretsKept(client: Client, numRuns: number): Promise<void> {
  const [space, env] = await lockedWorkspace();
  using _ = space;
  const configs = secretConfigs(client);
  const picks = fc.array(fc.nat(), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(configs, picks, async ({ path, text, broken, commands }, picked) => {
      const file = path.startsWith("~/") ? space.path(join("home", path.slice(2))) : space.path(path);
      mkdirSync(dirname(file), { recursive: true });
      const isWhole = await parseConfig(broken, file).then(
        () => true,
        () => false,
      );
      writeFileSync(file, isWhole ? text : broken);
      chmodSync(file, 0o600);
      const all = [
        ...commandsFor(client.id, file),
        ...commands.map((words) => ["guard", "files", "--", ...words]),
        ...commands.map((words) => ["guard", "unknown", "--", ...words]),
      ];
      try {
        for (const pick of picked) {
          const words = all[pick % all.length] ?? [];
          expectNoSecret(await space.run(words, env, VISITS), words);
          expect(filesWithSecrets(space.folder, [file, space.path(".env")]), words.join(" ")).toEqual([]);
        }
      } finally {
        rmSync(file);
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

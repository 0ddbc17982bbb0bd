import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { LockFile } from "@agentprint/mcp-lock";
import packageJson from "../../package.json" with { type: "json" };
import type { Context } from "../context.ts";
import { headerVariable } from "../launch/server-target.ts";
import { variablesIn } from "../launch/variables.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import { commandLine } from "../terminal/command-line.ts";
import { type PlannedFile, readIfPresent } from "./planned-file.ts";

/** The services whose files `init` writes. */
export const CI_SERVICES = ["github", "gitlab", "none"] as const;

export type CiService = (typeof CI_SERVICES)[number];

/** What lets a service check the lock, and what is left to do by hand. */
export interface CiFiles {
  readonly files: readonly PlannedFile[];
  readonly steps: readonly string[];
}

/**
 * The files with which a service checks the lock. Without a given service it is GitLab where the repository has a
 * `.gitlab-ci.yml`, and otherwise GitHub.
 *
 * @param lock The lock as it will be: its launches name the variables that a check needs
 */
export async function ciFiles(
  context: Context,
  lock: LockFile,
  { lockFile, service }: { readonly lockFile: string; readonly service: CiService | undefined },
): Promise<CiFiles> {
  const project = resolve(context.cwd);
  const root = repositoryOf(project);
  const chosen = service ?? (existsSync(join(root, ".gitlab-ci.yml")) ? "gitlab" : "github");
  if (chosen === "none") return { files: [], steps: [] };
  const at = (path: string): string => relative(project, join(root, path));
  const folder = relative(root, project).split(sep).join("/");
  const template = await readTemplate(`${chosen}.yml`);
  const command =
    lockFile === DEFAULT_LOCK ? template : template.replace(" check", () => ` check --lock ${commandLine([lockFile])}`);
  const variables = variablesOf(lock);
  if (chosen === "github") {
    const files = [{ path: at(".github/workflows/agentprint.yml"), text: command + githubStep(folder, variables) }];
    return { files, steps: secretSteps("secrets of the repository", variables.map(secretName)) };
  }
  const file = { path: at(".gitlab/agentprint.yml"), text: inFolder(command, folder) };
  const include = "include:\n  - local: .gitlab/agentprint.yml\n";
  const existing = await readIfPresent(context, at(".gitlab-ci.yml"));
  const files = existing === undefined ? [file, { path: at(".gitlab-ci.yml"), text: include }] : [file];
  const isIncluded = existing?.includes(".gitlab/agentprint.yml") ?? true;
  const steps = isIncluded ? [] : ["add to .gitlab-ci.yml: include: [{ local: .gitlab/agentprint.yml }]"];
  return { files, steps: [...steps, ...secretSteps("CI/CD variables of the project", variables)] };
}

/** The folder with `.git` at or above a folder, or else the folder itself. */
function repositoryOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, ".git"))) return each;
    if (dirname(each) === each) return folder;
  }
}

async function readTemplate(name: string): Promise<string> {
  const text = await readFile(new URL(import.meta.resolve(`#templates/${name}`)), "utf8");
  return text.replace("{version}", packageJson.version);
}

/** The variables of agentprint's environment that a check of the lock reads. */
function variablesOf(lock: LockFile): string[] {
  const names = lock.servers.flatMap(({ launch }) =>
    launch.type === "stdio"
      ? [...launch.env, ...[launch.command, ...launch.args, launch.cwd ?? ""].flatMap(variablesIn)]
      : [...launch.headers.map(headerVariable), ...variablesIn(launch.url)],
  );
  return [...new Set(names)].sort();
}

function githubStep(folder: string, variables: readonly string[]): string {
  const place = folder === "" ? [] : [`        working-directory: ${JSON.stringify(folder)}`];
  const values = variables.map((name) => `          ${yamlKey(name)}: \${{ secrets.${secretName(name)} }}`);
  const lines = [...place, ...(values.length > 0 ? ["        env:", ...values] : [])];
  return lines.map((line) => `${line}\n`).join("");
}

function inFolder(template: string, folder: string): string {
  if (folder === "") return template;
  return template.replace("  script:\n", () => `  script:\n    - cd ${JSON.stringify(commandLine([folder]))}\n`);
}

/** GitHub has no secret whose name begins with `GITHUB_`, except its own token. */
function secretName(variable: string): string {
  const name = variable.replace(/\W/g, "_");
  return name.startsWith("GITHUB_") && name !== "GITHUB_TOKEN" ? `MCP_${name}` : name;
}

/** A name that YAML could take for something else than a text is quoted. */
function yamlKey(name: string): string {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(name) ? name : JSON.stringify(name);
}

function secretSteps(where: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`set as ${where}, for the servers to get: ${names.join(", ")}`];
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { LockFile } from "@agentprint/mcp-lock";
import { type Document, isScalar, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import type { FoundServer } from "../clients/find-servers.ts";
import { asSource } from "../compare-configs/project-folder.ts";
import { type PlannedFile, readIfPresent } from "../files/planned-file.ts";
import { repositoryOf } from "../git/find-repository.ts";
import { headerVariable } from "../launch/server-target.ts";
import { variablesIn } from "../launch/variables.ts";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The services whose files `init` writes. */
export const CI_SERVICES = ["github", "gitlab", "none"] as const;

export type CiService = (typeof CI_SERVICES)[number];

/** The files that let a service check the lock, and the steps that are left to do by hand. */
export interface CiFiles {
  readonly files: readonly PlannedFile[];
  readonly steps: readonly string[];
}

/**
 * Returns the files with which a service checks the lock. The default service is GitLab if the repository has a
 * `.gitlab-ci.yml`, and otherwise GitHub.
 *
 * @param lock The lock as it will be written, whose launches name the variables that a check needs
 * @param found The servers of the clients; values in the project's configuration need no variable of the service
 */
export async function ciFiles(
  context: Context,
  lock: LockFile,
  found: readonly FoundServer[],
  { lockFile, service }: { readonly lockFile: string; readonly service: CiService | undefined },
): Promise<CiFiles> {
  const project = resolve(context.cwd);
  const root = repositoryOf(project);
  const chosen = service ?? (existsSync(join(root, ".gitlab-ci.yml")) ? "gitlab" : "github");
  if (chosen === "none") return { files: [], steps: [] };
  const at = (path: string): string => relative(project, join(root, path));
  const folder = relative(root, project).split(sep).join("/");
  const template = await readTemplate(`${chosen}.yml`);
  const option = lockFile === DEFAULT_LOCK ? "" : ` --lock ${commandLine([lockFile])}`;
  const document = parseDocument(template.replace('/agentprint" check', (check) => check + option));
  const variables = variablesOf(lock, (name) => writtenFor(context, lockFile, found, name));
  if (chosen === "github") {
    fillGithub(document, folder, variables);
    const files = [{ path: at(".github/workflows/agentprint.yml"), text: textOf(document) }];
    return { files, steps: secretSteps("secrets of the repository", variables.map(secretName)) };
  }
  if (folder !== "") moveInto(document, folder);
  const file = { path: at(".gitlab/agentprint.yml"), text: textOf(document) };
  const include = "include:\n  - local: .gitlab/agentprint.yml\n";
  const existing = await readIfPresent(context, at(".gitlab-ci.yml"));
  const files = existing === undefined ? [file, { path: at(".gitlab-ci.yml"), text: include }] : [file];
  const isIncluded = existing?.includes(".gitlab/agentprint.yml") ?? true;
  const steps = isIncluded ? [] : ["add to .gitlab-ci.yml: include: [{ local: .gitlab/agentprint.yml }]"];
  return { files, steps: [...steps, ...secretSteps("CI/CD variables of the project", variables)] };
}

/** Returns the text of a template, with the version and the integrity of this program. */
export async function readTemplate(name: string): Promise<string> {
  const text = await readFile(new URL(import.meta.resolve(`#templates/${name}`)), "utf8");
  return text.replace("{version}", packageJson.version).replace("{integrity}", (await ownIntegrity()) ?? '""');
}

/**
 * Returns the SHA-512 by which npm identifies this program's package; `undefined` if another installer placed the
 * program.
 */
async function ownIntegrity(): Promise<string | undefined> {
  const templates = fileURLToPath(new URL(import.meta.resolve("#templates/github.yml")));
  const modules = dirname(dirname(dirname(templates)));
  const text = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => "{}");
  const packages = memberOf(JSON.parse(text), "packages");
  const integrity = memberOf(memberOf(packages, `node_modules/${packageJson.name}`), "integrity");
  return typeof integrity === "string" && /^sha512-[\w+/]{86}==$/.test(integrity) ? integrity : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the variables of agentprint's environment that a check of the lock reads. */
function variablesOf(lock: LockFile, writtenOf: (server: string) => ReadonlySet<string>): string[] {
  const names = lock.servers.flatMap(({ name, launch }) => {
    const written = writtenOf(name);
    const open = (launch.type === "stdio" ? launch.env : launch.headers).filter((each) => !written.has(each));
    return launch.type === "stdio"
      ? [...open, ...[launch.command, ...launch.args, launch.cwd ?? ""].flatMap(variablesIn)]
      : [...open.map(headerVariable), ...variablesIn(launch.url)];
  });
  return [...new Set(names)].sort();
}

/** Returns the variables and headers of a server whose values a check reads in a configuration of the project. */
function writtenFor(
  context: Context,
  lockFile: string,
  found: readonly FoundServer[],
  name: string,
): ReadonlySet<string> {
  const servers = found.filter(
    (server) =>
      server.name === name &&
      server.places.some(({ scope, path }) => scope === "project" && asSource(context, lockFile, path) !== undefined),
  );
  return new Set(servers.flatMap(({ target }) => target.written ?? []));
}

/** Adds the folder and the variables of the servers to the step that checks, but to no other step. */
function fillGithub(workflow: Document, folder: string, variables: readonly string[]): void {
  const steps = workflow.getIn(["jobs", "check", "steps"]) as YAMLSeq<YAMLMap>;
  const check = steps.items.find((step) => step.get("id") === "check");
  // The shell enters the folder and leaves its name in PWD, because agentprint refuses a folder that is a link; `working-directory` would hide it.
  const script = check?.get("run", true);
  if (folder !== "" && isScalar(script)) script.value = `cd ${commandLine([folder])}\n${script.value}`;
  for (const name of variables) check?.setIn(["env", name], `\${{ secrets.${secretName(name)} }}`);
}

/** Makes the GitLab job run in a folder. */
function moveInto(document: Document, folder: string): void {
  const script = document.getIn(["agentprint", "script"]) as YAMLSeq;
  script.items.splice(-1, 0, document.createNode(`cd ${commandLine([folder])}`));
}

/** Returns the text of a document without wrapping its lines. */
export function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

/** Returns the name of the secret for a variable. Except for its own token, GitHub allows no secret whose name begins with `GITHUB_`. */
function secretName(variable: string): string {
  const name = variable.replace(/\W/g, "_");
  return name.startsWith("GITHUB_") && name !== "GITHUB_TOKEN" ? `MCP_${name}` : name;
}

function secretSteps(where: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`set as ${where}, for the servers to get: ${names.join(", ")}`];
}

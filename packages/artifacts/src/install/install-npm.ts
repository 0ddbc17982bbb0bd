import { existsSync, realpathSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseJson } from "@agentprint/canonical-json";
import { ArtifactError } from "../errors.ts";
import { readText } from "../json-file.ts";
import { lastLine, npmRoot } from "../npm/npm-settings.ts";
import { type ProgramEnd, runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";

/** The time limit of an installation, in milliseconds. */
const TIME_LIMIT = 300_000;
/** Lines of a project's `.npmrc` that name a registry, or the token for one: https://docs.npmjs.com/cli/configuring-npm/npmrc */
const REGISTRY_LINE = /^\s*(?:registry|@[\w.~-]+:registry|\/\/[^\s=]+:(?:_authToken|_auth|username|_password))\s*=/;
/** Variables that npm needs to reach a registry; any other npm setting may affect what runs. */
const NETWORK_VARIABLE =
  /^npm_config_(?:registry|@[\w.~-]+:registry|\/\/.+:(?:_authToken|_auth|username|_password)|https?_proxy|proxy|noproxy|ca|cafile|strict_ssl|cache|userconfig|fetch_\w+|offline|prefer_offline|prefer_online|maxsockets)$/i;

/** The npm packages that are installed into one folder. */
export interface NpmInstallation {
  /** The exact versions, by package name. */
  readonly packages: Readonly<Record<string, string>>;
  /** The only versions that other packages may have: `name@version`. */
  readonly others?: readonly string[];
  /** Further options of npm. */
  readonly options?: readonly string[];
}

/**
 * Installs packages into a folder with the user's npm, without running any of their scripts. Uses only the lines of the
 * project's `.npmrc` that name a registry or a token, and leaves none of them in the folder.
 *
 * @param surroundings The folder of the project, and the variables that npm gets
 * @throws {@link ArtifactError} `not-found` if the registry lacks a version; `no-answer` if npm fails; `no-program`
 */
export async function installFromNpm(
  folder: string,
  { packages, others = [], options = [] }: NpmInstallation,
  surroundings: Surroundings,
): Promise<void> {
  const named = new Set(Object.keys(packages));
  const overrides = Object.fromEntries(
    others.map(splitTitle).flatMap(([name, version]) => (named.has(name) ? [] : [[`${name}@${version}`, version]])),
  );
  const manifest = { name: "installed", private: true, dependencies: packages, overrides };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const settings = join(folder, ".npmrc");
  await writeFile(settings, await registryLines(surroundings.cwd), { mode: 0o600 });
  const args = [
    ...["install", "--json", `--prefix=${folder}`, "--ignore-scripts", "--no-audit", "--no-fund"],
    ...["--install-strategy=hoisted", "--no-install-links", "--package-lock", "--loglevel=error"],
    ...["--allow-git=none", "--fetch-retries=1", "--fetch-retry-mintimeout=500", ...options],
  ];
  try {
    await runNpm(folder, args, surroundings);
  } finally {
    await rm(settings, { force: true });
  }
}

/** Runs npm in a folder. If the network fails, npm uses its cache. */
async function runNpm(folder: string, args: readonly string[], surroundings: Surroundings): Promise<void> {
  const { signal } = surroundings;
  const env = { ...installerEnvironment(surroundings), ...withoutRepositories(folder) };
  const own = { cwd: folder, env, ...(signal && { signal }) };
  const online = await runProgram("npm", args, own, "", TIME_LIMIT);
  if (online.code === 0) return;
  refuseFullDisk(folder, online);
  const missing = /"code":\s*"(E404|ETARGET|ENOVERSIONS)"/.test(online.stdout);
  if (missing) throw new ArtifactError("not-found", `the registry lacks a version: ${reasonIn(online)}`);
  const offline = await runProgram("npm", [...args, "--offline"], own, "", TIME_LIMIT);
  if (offline.code !== 0) throw new ArtifactError("no-answer", `npm cannot install it: ${reasonIn(online)}`);
}

/**
 * Returns the variables that keep an npm version without `--allow-git` from running code of a repository that a
 * registry names as a dependency: before npm packs the repository, it starts another npm there, which reads the
 * repository's `.npmrc` and receives none of the first one's options.
 * https://github.com/npm/pacote/blob/main/lib/git.js
 */
function withoutRepositories(folder: string): Readonly<Record<string, string>> {
  return { npm_config_ignore_scripts: "true", npm_config_git: join(folder, "none"), npm_config_global: "false" };
}

/** Throws if the disk is full, because an offline attempt would fail too. */
function refuseFullDisk(folder: string, { stdout, stderr }: ProgramEnd): void {
  const [code] = /\b(?:ENOSPC|EDQUOT|EFBIG)\b/.exec(stdout + stderr) ?? [];
  if (code === undefined) return;
  const fix = "free space, or set XDG_STATE_HOME to another folder";
  throw new ArtifactError("unreadable", `nothing can be installed into ${folder}: the disk is full (${code}); ${fix}`);
}

/** Returns the reason that npm printed as JSON, or else npm's last line of output. */
function reasonIn({ stdout, stderr }: ProgramOutput): string {
  return memberIn("summary", stdout) || lastLine(stderr);
}

/** Returns the first lines that a script started by npm printed, without stack frames, or else npm's reason. */
export function detailIn(ended: ProgramOutput): string {
  const lines = memberIn("detail", ended.stdout).split("\n");
  const said = lines.filter((line) => !/^(?:gyp ERR! stack)?\s+at /.test(line)).join(" ");
  return said.trim().slice(0, 600) || reasonIn(ended);
}

type ProgramOutput = Pick<ProgramEnd, "stdout" | "stderr">;

/** Returns a text member of the error that npm prints as JSON after other output. */
function memberIn(name: "summary" | "detail", stdout: string): string {
  const [text] = new RegExp(`(?<="${name}":\\s*)"(?:[^"\\\\]|\\\\.)*"`).exec(stdout) ?? [];
  return text === undefined ? "" : String(parseJson(text));
}

/** Splits `name@version`. */
function splitTitle(title: string): readonly [name: string, version: string] {
  const at = title.lastIndexOf("@");
  return [title.slice(0, at), title.slice(at + 1)];
}

/**
 * Returns the `.npmrc` lines of the folder that npm treats as the project, and of the folder itself, which take
 * precedence.
 */
async function registryLines(cwd: string): Promise<string> {
  const folders = new Set([npmRoot(cwd), resolve(cwd)]);
  const texts = await Promise.all([...folders].map((folder) => readText(join(folder, ".npmrc"))));
  // npm accepts either character as a line break.
  const lines = texts.flatMap((text = "") => text.split(/[\r\n]+/)).filter((line) => REGISTRY_LINE.test(line));
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the variables of a launch without those that affect what an installer or Node.js runs. */
export function installerEnvironment(surroundings: Surroundings): Record<string, string | undefined> {
  const kept = Object.entries(surroundings.env).filter(([name]) => {
    if (/^(?:NODE_OPTIONS|NODE_PATH|PREFIX|INIT_CWD)$/i.test(name)) return false;
    return !/^npm_/i.test(name) || NETWORK_VARIABLE.test(name.replaceAll("-", "_"));
  });
  return { ...Object.fromEntries(kept), ...pathWithoutProject(surroundings) };
}

/**
 * Returns the `PATH` of a launch without the folders of its project, and without the folders of package programs that
 * `npx` adds above a project.
 */
export function pathWithoutProject(surroundings: Surroundings): Record<string, string> {
  const { env } = surroundings;
  const name = Object.keys(env).find((each) => each.toUpperCase() === "PATH") ?? "PATH";
  const isForeign = foreignTo(surroundings);
  const isKept = (folder: string): boolean => isForeign(folder) && !/[/\\]node_modules[/\\]\.bin[/\\]*$/.test(folder);
  return { [name]: (env[name] ?? "").split(delimiter).filter(isKept).join(delimiter) };
}

/** Returns whether a folder belongs to the project of a launch, so that people other than the user may write to it. */
export function isOfProject(folder: string, surroundings: Surroundings): boolean {
  return !foreignTo(surroundings)(folder);
}

/**
 * Returns a function that reports whether a folder is outside a launch's project, which consists of the launch's own
 * folder, each Git repository around it, and the folder that the environment names.
 */
export function foreignTo({ cwd, env, project }: Surroundings): (folder: string) => boolean {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const given = project === undefined ? [cwd] : [cwd, project];
  const repositories = given.flatMap(withParents).filter((folder) => existsSync(join(folder, ".git")));
  // A home folder, or one above it, contains the user's own programs.
  const roots = [...given, ...repositories].filter((folder) => isOutside(folder, home));
  return (folder) => isAbsolute(folder) && roots.every((root) => isOutside(root, folder));
}

/** Returns a folder, and each one above it. */
export function withParents(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withParents(above)];
}

/** Returns whether a folder neither equals another folder nor is inside it, under any of their names. */
function isOutside(root: string, folder: string): boolean {
  const names = namesOf(folder);
  return namesOf(root).every((from) =>
    names.every((to) => {
      const way = relative(from, to);
      return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
    }),
  );
}

/** Returns a folder's path both as given and with all links resolved. */
function namesOf(folder: string): readonly string[] {
  return existsSync(folder) ? [folder, realpathSync(folder)] : [folder];
}

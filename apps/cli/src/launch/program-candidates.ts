import { posix, win32 } from "node:path";

/** The places to look for a program. */
export interface ProgramSearch {
  /** The folder that it is started in. */
  readonly cwd: string;
  /** The folders to search, as the variable `PATH` has them. */
  readonly path: string;
  /** The endings that Windows adds to a name, as its variable `PATHEXT` has them. */
  readonly endings?: string | undefined;
}

const ENDINGS = ".EXE;.CMD;.BAT;.COM";

/**
 * The files that a system tries for the name of a program, in its order. Windows looks in the folder of the process first, adds its endings,
 * and takes the name itself only where it has an ending: npm writes a script for shells beside each `.cmd`.
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

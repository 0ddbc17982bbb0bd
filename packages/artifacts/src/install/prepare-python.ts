import { readdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import type { FoundArtifact, InstallableLaunch, LockedArtifact } from "@agentprint/launch";
import { ArtifactError } from "../errors.ts";
import { objectAt, objectsAt, readObject, textAt, textsIn } from "../json-file.ts";
import { titlesOf } from "../pypi/python-lock.ts";
import { type Exact, exactOf } from "../pypi/read-pypi.ts";
import type { Surroundings } from "../surroundings.ts";
import {
  digestsOf,
  installFromIndex,
  interpreterIn,
  interpreterOptions,
  librariesIn,
  programsIn,
} from "./install-python.ts";
import { keepFolder, nameOfFolder } from "./kept-folders.ts";

/** The names of the environment's folder and of the file that lists its contents. */
const ENVIRONMENT = "environment";
const RECORD = "installed.json";

/** The Python packages that were installed for a launch. */
export interface PreparedPython {
  readonly artifacts: readonly FoundArtifact[];
  /** The digests of the other packages in the environment, by name, version and tags. */
  readonly packages: Readonly<Record<string, string>>;
  /** The folder that holds its programs, and the launch's folder. */
  readonly bin: string;
  readonly program: string;
}

/**
 * Installs the packages of a launch into a Python environment named by their digests, unless that environment already
 * exists with the installed files and the same interpreter.
 *
 * @throws {@link ArtifactError} with any of its codes
 */
export async function preparePython(
  installable: InstallableLaunch,
  surroundings: Surroundings,
  store: string,
  locked: readonly LockedArtifact[] | undefined,
): Promise<PreparedPython> {
  const { packages } = installable;
  const pinned = locked?.filter(({ kind }) => kind === "pypi");
  const expected = pinned && nameOfPython(installable, pinned);
  const install = async (made: string): Promise<string> => {
    const environment = join(made, ENVIRONMENT);
    const { installed, artifacts, programs, isPinned } = await installFromIndex(
      environment,
      installable,
      pinned,
      surroundings,
    );
    const own = new Set(packages.map((each) => exactOf(each).name));
    const others = installed.flatMap((each) => (own.has(each.name) ? [] : titlesOf(each)));
    const interpreter = await realpath(interpreterIn(environment));
    programOf(programs, installable);
    const named = Object.fromEntries(programs.map((each) => [each, ""]));
    const record = { artifacts, packages: Object.fromEntries(others), programs: named, interpreter };
    await writeFile(join(made, RECORD), JSON.stringify(record));
    return isPinned && pinned !== undefined && expected !== undefined
      ? expected
      : nameOfPython(
          installable,
          artifacts.map((each) => ({ ...each, pointer: "" })),
        );
  };
  const { folder, isNew } = await keepFolder(store, expected, install, hasItsInterpreter);
  const record = (await readObject(join(folder, RECORD))) ?? {};
  const artifacts = objectsAt(record, "artifacts");
  return {
    artifacts: packages.map(({ pointer }, at) => artifactIn(artifacts[at] ?? {}, pointer, isNew)),
    packages: textsIn(objectAt(record, "packages")),
    bin: programsIn(join(folder, ENVIRONMENT)),
    program: programOf(Object.keys(objectAt(record, "programs")), installable),
  };
}

/**
 * Returns the name of an environment's folder, which depends on the launch's words, its interpreter, and the digests of
 * all wheels.
 */
export function nameOfPython(installable: InstallableLaunch, artifacts: readonly LockedArtifact[]): string {
  const digests = digestsOf(artifacts.filter(({ kind }) => kind === "pypi"));
  const specifiers = installable.packages.map(({ specifier }) => specifier);
  return nameOfFolder(specifiers, Object.fromEntries(digests), interpreterOptions(installable));
}

/**
 * Returns the folders of the module named like a package, in the environments of a store that were created for this
 * package.
 */
export async function findModules(store: string, { name, version }: Exact): Promise<string[]> {
  const folders = await readdir(store).catch(() => []);
  const found = folders.map(async (each): Promise<string[]> => {
    const record = (await readObject(join(store, each, RECORD))) ?? {};
    const isMeant = (own: JsonObject): boolean => textAt(own, "name") === name && textAt(own, "version") === version;
    if (!objectsAt(record, "artifacts").some(isMeant)) return [];
    const packages = await librariesIn(join(store, each, ENVIRONMENT));
    return packages.map((library) => join(library, "site-packages", name.replaceAll("-", "_")));
  });
  return (await Promise.all(found)).flat();
}

/** Returns whether an environment's interpreter still exists and is the one that created the environment. */
async function hasItsInterpreter(folder: string): Promise<boolean> {
  const record = (await readObject(join(folder, RECORD))) ?? {};
  const now = await realpath(interpreterIn(join(folder, ENVIRONMENT))).catch(() => undefined);
  return now === textAt(record, "interpreter");
}

function artifactIn(own: JsonObject, pointer: string, isNew: boolean): FoundArtifact {
  const chosen = textAt(own, "chosen");
  const dependencies = textsIn(objectAt(own, "dependencies"));
  return {
    pointer,
    kind: "pypi",
    name: textAt(own, "name") ?? "",
    version: textAt(own, "version") ?? "",
    files: textsIn(objectAt(own, "files")),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    ...(chosen !== undefined && { chosen }),
    source: isNew ? "registry" : "installed",
  };
}

/** Returns the program that uv starts: the one that the launch names, or else the one with the package's name. */
function programOf(programs: readonly string[], { packages, program }: InstallableLaunch): string {
  const [name = ""] = /^[\w.-]*/.exec(packages[0]?.package ?? "") ?? [];
  const wanted = program ?? name;
  const found = programs.find((each) => each === wanted || each === `${wanted}.exe`);
  if (found === undefined) throw new ArtifactError("not-found", `none of the packages has a program named ${wanted}`);
  return found;
}

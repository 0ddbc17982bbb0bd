import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { Context } from "../run/context.ts";
import { CliError, type ExplainedError, isMissing, reasonOf } from "../run/errors.ts";

/** The names to look for in a different case. */
interface ReadNames {
  /** Whether the names include those of clients' configurations. */
  readonly hasConfigs: boolean;
  /** Whether the names include those of skills and instruction files. */
  readonly hasSkills: boolean;
}

/**
 * Finds files in the lock's folder that clients on case-insensitive systems read but clients on other systems do not.
 */
export async function namesInOtherCase(
  { pathOf }: Pick<Context, "pathOf">,
  lock: string,
  { hasConfigs, hasSkills }: ReadNames,
): Promise<OtherCases> {
  const paths = [...(hasConfigs ? configPaths() : []), ...(hasSkills ? await skillPaths() : [])];
  return pathsInOtherCase(resolve(pathOf(dirname(lock))), paths);
}

function configPaths(): string[] {
  const files = CLIENTS.flatMap((client) => client.files);
  const settings = files.flatMap((file) => file.settings ?? []);
  const paths = [...files, ...settings].flatMap(({ path }) => (typeof path === "string" ? [path] : []));
  return [...new Set(paths.filter((path) => !/^[~$%]/.test(path)))];
}

async function skillPaths(): Promise<string[]> {
  const { INSTRUCTION_FILES, INSTRUCTION_FOLDERS, SKILL_FOLDERS } = await import("@agentprint/skills");
  const below = (path: string): string[] => ["*", "*/*", "*/*/*"].map((names) => `${path}/${names}`);
  return [
    ...SKILL_FOLDERS.flatMap(({ path }) => below(path).map((skill) => `${skill}/SKILL.md`)),
    ...INSTRUCTION_FOLDERS.flatMap(({ path }) => below(path)),
    ...INSTRUCTION_FILES.map(({ path }) => path),
  ];
}

/** The maximum number of entries of one folder that are compared. */
const MAX_ENTRIES = 5000;

/** A path that a case-insensitive system also opens under another name. */
export interface OtherCase {
  /** The path from the folder of the project, with `/` between folders. */
  readonly path: string;
  /** The name under which it is opened. */
  readonly opened: string;
}

/** The paths that were found in a different case, and the folders that could not be searched. */
export interface OtherCases {
  readonly found: readonly OtherCase[];
  readonly problems: readonly ExplainedError[];
}

/**
 * Finds the files of a project whose paths differ from one of the given paths only in case, as the file systems of
 * macOS and Windows compare them, and the folders that differ only in case. No link to a folder is followed.
 *
 * @param paths From the folder of the project, with `/` between folders. `*` stands for any characters of one name; a
 * folder with a `SKILL.md` has no other skill below it.
 */
async function pathsInOtherCase(project: string, paths: readonly string[]): Promise<OtherCases> {
  const search = new Search(project);
  for (const path of paths) await search.below("", path.split("/"), 0, "");
  return { found: [...search.found.values()], problems: search.problems };
}

class Search {
  readonly #project: string;
  readonly #folders = new Map<string, readonly Dirent[]>();
  readonly found: Map<string, OtherCase> = new Map();
  readonly problems: ExplainedError[] = [];

  constructor(project: string) {
    this.#project = project;
  }

  /**
   * Looks for the steps from `at` on in a folder that is opened as `opened`; both paths end with `/`, except for the
   * project's folder.
   */
  async below(folder: string, steps: readonly string[], at: number, opened: string): Promise<void> {
    const step = steps[at] ?? "";
    const entries = await this.#entriesOf(folder);
    const isInSkills = step === "*" && steps[at - 1] === "*";
    if (isInSkills && entries.some(({ name }) => name === "SKILL.md")) return;
    const [start = "", end] = step.split("*");
    for (const entry of entries) {
      const { name } = entry;
      const isOpened =
        end === undefined ? folded(name) === folded(step) : isNamed(folded(name), folded(start), folded(end));
      if (!isOpened) continue;
      const isExact = end === undefined ? name === step : isNamed(name, start, end);
      const path = `${folder}${name}`;
      const twin =
        end === undefined ? undefined : entries.find((other) => other !== entry && folded(other.name) === folded(name));
      const known = `${opened}${end === undefined ? step : (twin?.name ?? openedAs(name, start, end))}`;
      const isOther = path !== known && (!isExact || twin !== undefined || folder !== opened);
      if (at === steps.length - 1 ? !entry.isDirectory() : twin !== undefined || (!isExact && !entry.isDirectory())) {
        if (isOther) this.found.set(path, { path, opened: known });
      } else if (entry.isDirectory()) {
        await this.below(`${path}/`, steps, at + 1, `${known}/`);
      }
    }
  }

  async #entriesOf(folder: string): Promise<readonly Dirent[]> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const entries = await readdir(join(this.#project, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (!isMissing(error)) this.problems.push(cannotTell(folder, reasonOf(error)));
      return [];
    });
    if (entries.length > MAX_ENTRIES) this.problems.push(cannotTell(folder, `it has more than ${MAX_ENTRIES} entries`));
    const compared = entries.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#folders.set(folder, compared);
    return compared;
  }
}

/** Returns a name as case-insensitive systems compare it. */
function folded(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

function isNamed(name: string, start: string, end: string): boolean {
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

function openedAs(name: string, start: string, end: string): string {
  return `${start}${name.slice(start.length, name.length - end.length)}${end}`;
}

function cannotTell(folder: string, why: string): CliError {
  const where = folder === "" ? "the folder of the project" : folder;
  return new CliError("unreadable-input", `cannot tell whether ${where} has names in another case: ${why}`, {
    where,
    expected: `a folder that can be listed, with at most ${MAX_ENTRIES} entries`,
    fix: "make it readable, or move files out of it",
  });
}

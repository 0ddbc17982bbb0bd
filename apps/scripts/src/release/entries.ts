import { copyFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestIn } from "../packed-packages.ts";
import type { Project } from "./project.ts";

const LOADER = "load-entries.mjs";

/**
 * Returns the specifiers under which an installed package's modules and JSON can be imported; for a pattern, the first
 * file that it matches.
 */
export function entriesOf(project: Project, name: string): string[] {
  const root = join(project.folder, "node_modules", name);
  const entries = Object.keys(manifestIn(root).exports ?? {}).filter((entry) => !entry.endsWith(".css"));
  return entries.map((entry) => {
    const file = entry.includes("*")
      ? `./${globSync(entry.replace("*", "**/*.json"), { cwd: root }).sort()[0]}`
      : entry;
    return `${name}${file.slice(1)}`;
  });
}

/** A program that can load the entries, and the arguments that come before the file it runs. */
export interface Runtime {
  readonly label: string;
  readonly program: string;
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Loads entries with `import` and `require`, and prints how many. Throws if one cannot be loaded, unless it needs one
 * of the packages in `absent`, or if the two ways give different exports.
 */
export function loadEntries(
  project: Project,
  { label, program, words = [], env = {} }: Runtime,
  entries: readonly string[],
  absent: readonly string[] = [],
): void {
  copyFileSync(fileURLToPath(new URL(LOADER, import.meta.url)), join(project.folder, LOADER));
  const { stdout } = project.run(program, [...words, LOADER, JSON.stringify({ entries, absent })], { env });
  const { loaded, without, problems } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
    readonly loaded: number;
    readonly without: readonly string[];
    readonly problems: readonly string[];
  };
  if (problems.length > 0) throw new Error(`${label}: ${problems.join("\n")}`);
  const left = without.length === 0 ? "" : `, except for ${without.length} that need an optional package`;
  console.log(`${label}: ${loaded} entries loaded, by import and by require${left}`);
}

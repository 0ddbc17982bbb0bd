import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

interface Task {
  readonly taskId: string;
  readonly task: string;
  readonly directory: string;
  readonly command: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly dependencies: readonly string[];
}

const turbo = `${REPOSITORY}node_modules/.bin/turbo`;
// Turbo reads every file, which takes long on a busy machine.
const options = { cwd: REPOSITORY, maxBuffer: Infinity, timeout: 600_000 };
const printed = outputOf(turbo, ["run", "test", "--dry=json"], options);
const { tasks } = JSON.parse(printed) as { tasks: readonly Task[] };
const taskOf = new Map(tasks.map((task) => [task.taskId, task]));
const tested = tasks.filter(({ task, command }) => task === "test" && command !== "<NONEXISTENT>");

/** Returns every file that affects the hash of a task, from the root of the repository. */
function hashedFiles(task: Task): Set<string> {
  const found = new Set<string>();
  const seen = new Set([task]);
  // Iterating over a set also visits what is added meanwhile.
  for (const { directory, inputs, dependencies } of seen) {
    for (const path of Object.keys(inputs)) found.add(posix.join(directory, path));
    for (const id of dependencies) seen.add(taskOf.get(id) as Task);
  }
  return found;
}

/** How a package.json names the files that an entry loads: by conditions, or by one path. */
type Target = string | { readonly "@agentprint/source"?: string; readonly node?: { "@agentprint/source"?: string } };

/** The file that each import of this repository's packages loads, under the condition that tests use. */
const packageFiles = new Map(
  globSync(["packages/*", "apps/*", "fixtures", "fixtures/ports/typescript"], { cwd: REPOSITORY })
    .filter((root) => existsSync(`${REPOSITORY}${root}/package.json`))
    .flatMap((root) => {
      const { name, exports = {} } = JSON.parse(readFileSync(`${REPOSITORY}${root}/package.json`, "utf8"));
      return Object.entries<Target>(exports).flatMap(([entry, target]) => {
        const source = typeof target === "string" ? target : sourceOf(target);
        return filesAt(posix.join(root, source)).map(
          ({ file, star }) => [posix.join(name, entry.replace("*", star)), file] as const,
        );
      });
    }),
);

function sourceOf({ "@agentprint/source": source, node }: Exclude<Target, string>): string {
  return source ?? node?.["@agentprint/source"] ?? "";
}

/** Returns the file at a path, or the files that match a path with a `*`, each with the text for the star. */
function filesAt(path: string): { readonly file: string; readonly star: string }[] {
  const [start = "", end] = path.split("*");
  if (end === undefined) return [{ file: path, star: "" }];
  const files = globSync(`${start}**/*${end}`, { cwd: REPOSITORY }).map((file) => file.replaceAll("\\", "/"));
  return files.map((file) => ({ file, star: file.slice(start.length, file.length - end.length) }));
}

const known = new Map<string, readonly string[]>();

/** Returns the files of this repository that a file imports, and the files and folders whose URLs it makes. */
function targetsOf(file: string): readonly string[] {
  const targets = known.get(file) ?? readTargets(file);
  known.set(file, targets);
  return targets;
}

function readTargets(file: string): string[] {
  const text = readFileSync(`${REPOSITORY}${file}`, "utf8");
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const named = [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)].map(([, path = ""]) => path);
  return [...imports, ...named].flatMap((name) =>
    name.startsWith(".") ? [posix.join(posix.dirname(file), name)] : (packageFiles.get(name) ?? []),
  );
}

/** Returns every file that the quick tests of a package lead to, each with the file that names it. */
function reached({ directory }: Task): Map<string, string> {
  const found = new Map<string, string>();
  const files = globSync(`${directory}/test/**/*.{ts,mjs}`, { cwd: REPOSITORY }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const quick = files.filter((file) => !/\/test\/(?:slow|nightly|long)\//.test(file));
  for (const file of quick) found.set(file, file);
  // Iterating over a map also visits what is added meanwhile.
  for (const file of found.keys()) {
    if (!/\.(?:ts|mjs)$/.test(file) || !existsSync(REPOSITORY + file) || statSync(REPOSITORY + file).isDirectory())
      continue;
    for (const target of targetsOf(file)) if (!found.has(target)) found.set(target, file);
  }
  return found;
}

/** Returns whether a change to a file, or to a file in a folder, changes the hash of the tests. */
function isHashed(path: string, hashed: ReadonlySet<string>): boolean {
  if (hashed.has(path) || /^\.\.\/|node_modules/.test(path) || !existsSync(REPOSITORY + path)) return true;
  const folder = path === "." || path === "./" ? "" : `${path.replace(/\/$/, "")}/`;
  return statSync(REPOSITORY + path).isDirectory() && [...hashed].some((file) => file.startsWith(folder));
}

describe("tests whose result is kept until their inputs change", () => {
  test.each(tested)("$directory: turbo hashes all that its tests import or name", (task) => {
    const hashed = hashedFiles(task);
    const missing = [...reached(task)].filter(([path]) => !isHashed(path, hashed));
    expect(missing.map(([path, by]) => `${path}, which ${by} leads to`)).toEqual([]);
  });

  test("all tasks are there", () => expect(tested.length).toBeGreaterThan(30));
});

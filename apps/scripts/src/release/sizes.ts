import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askRegistry } from "@agentprint/testing/npm-registry/local-registry";
import type { Project } from "./project.ts";
import type { PublishedManifest } from "./published.ts";

/** The size of a package in bytes: of its tarball, and of the files in it. */
interface Size {
  readonly packed: number;
  readonly unpacked: number;
}

const BUDGETS = new URL("sizes.json", import.meta.url);
/** The factor by which a written budget exceeds the current size. */
const ROOM = 1.1;
const ROUND_TO = 1000;

async function sizeOf(project: Project, { name, dist }: PublishedManifest): Promise<Size> {
  const tarball = await askRegistry(new URL(dist.tarball));
  const root = join(project.folder, "node_modules", name);
  const files = globSync("**/*", { cwd: root, exclude: (path) => path === "node_modules" });
  const sizes = files.map((path) => statSync(join(root, path))).map((stats) => (stats.isFile() ? stats.size : 0));
  return { packed: tarball.length, unpacked: sizes.reduce((sum, size) => sum + size, 0) };
}

/**
 * Throws if a package that is installed in `project` exceeds its budget in `sizes.json`, or has none; `write` writes
 * the budgets.
 */
export async function checkSizes(
  project: Project,
  published: ReadonlyMap<string, PublishedManifest>,
  write: boolean,
): Promise<void> {
  const budgets = JSON.parse(readFileSync(BUDGETS, "utf8")) as Record<string, Size>;
  const written: Record<string, Size> = {};
  const problems: string[] = [];
  console.log("| package | packed | budget | unpacked | budget |\n| --- | --- | --- | --- | --- |");
  for (const [name, manifest] of [...published].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const size = await sizeOf(project, manifest);
    const withRoom = (bytes: number): number => Math.ceil((bytes * ROOM) / ROUND_TO) * ROUND_TO;
    written[name] = { packed: withRoom(size.packed), unpacked: withRoom(size.unpacked) };
    const budget = write ? written[name] : budgets[name];
    console.log(`| ${name} | ${size.packed} | ${budget?.packed} | ${size.unpacked} | ${budget?.unpacked} |`);
    const fits = budget !== undefined && size.packed <= budget.packed && size.unpacked <= budget.unpacked;
    if (!fits) problems.push(`${name}: ${JSON.stringify(size)} exceeds the budget ${JSON.stringify(budget)}`);
  }
  if (write) writeFileSync(BUDGETS, `${JSON.stringify(written, null, 2)}\n`);
  if (problems.length > 0)
    throw new Error(
      `${problems.join("\n")}\napps/scripts/src/release/sizes.json holds the budgets; --write-sizes writes them.`,
    );
}

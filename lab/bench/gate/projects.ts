import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the folders of a workspace's projects, such as `packages/trail`. */
export function projectFolders(root: string): string[] {
  return globSync(["packages/*", "apps/*", "fixtures", "lab"], { cwd: root })
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort();
}

/** A project with this file bundles its development dependencies. */
const INCLUDES = "rolldown.config.ts";

/** Returns these projects' folders and those of the projects whose code they run, in build order. */
export function withDependencies(root: string, folders: readonly string[]): string[] {
  const projects = projectFolders(root).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const { name, dependencies, devDependencies } = manifest;
    const included = existsSync(join(root, folder, INCLUDES)) ? devDependencies : {};
    return { folder, name: name as string, dependencies: Object.keys({ ...dependencies, ...included }) };
  });
  const visited = new Set<string>();
  const found: string[] = [];
  const visit = (folder: string): void => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const names = projects.find((project) => project.folder === folder)?.dependencies ?? [];
    for (const project of projects) if (names.includes(project.name)) visit(project.folder);
    found.push(folder);
  };
  folders.forEach(visit);
  return found;
}

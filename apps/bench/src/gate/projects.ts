import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders of the projects of a workspace, such as `packages/trail`. */
export function projectFolders(root: string): string[] {
  return globSync(["packages/*", "apps/*", "fixtures"], { cwd: root })
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort();
}

/** These folders of projects and those of the projects that they depend on at run time. */
export function withDependencies(root: string, folders: readonly string[]): string[] {
  const projects = projectFolders(root).map((folder) => {
    const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return { folder, name: name as string, dependencies: Object.keys(dependencies) };
  });
  const found = new Set<string>();
  const visit = (folder: string): void => {
    if (found.has(folder)) return;
    found.add(folder);
    const names = projects.find((project) => project.folder === folder)?.dependencies ?? [];
    for (const project of projects) if (names.includes(project.name)) visit(project.folder);
  };
  folders.forEach(visit);
  return [...found].sort();
}

import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectFolders } from "./projects.ts";

/** The files on which every build depends. */
const SHARED = ["pnpm-lock.yaml", "tsconfig.base.json"];
/** The plugins' scripts, which run like the command. */
const INTEGRATIONS = "integrations";
/** Files that are not part of a build, or that a build generates. */
const LEFT_OUT = /(^|\/)(test|dist|node_modules|coverage|\.turbo|demo)(\/|$)|\.(md|tsbuildinfo)$/;

/** Returns the folders of the projects whose builds may differ from the base's. */
export function changedProjects(root: string, base: string): Set<string> {
  const folders = [...projectFolders(root), INTEGRATIONS];
  if (SHARED.some((file) => differs(join(root, file), join(base, file)))) return new Set(folders);
  return new Set(folders.filter((folder) => !isSameFolder(join(root, folder), join(base, folder))));
}

function isSameFolder(left: string, right: string): boolean {
  const [files, others] = [filesOf(left), filesOf(right)];
  return files.join("\n") === others.join("\n") && !files.some((file) => differs(join(left, file), join(right, file)));
}

function filesOf(folder: string): string[] {
  const files = globSync("**/*", { cwd: folder, exclude: (path) => LEFT_OUT.test(path) });
  return files.filter((file) => !LEFT_OUT.test(file) && statSync(join(folder, file)).isFile()).sort();
}

function differs(left: string, right: string): boolean {
  return !readFileSync(left).equals(readFileSync(right));
}

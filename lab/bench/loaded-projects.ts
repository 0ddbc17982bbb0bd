import { registerHooks } from "node:module";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = /^((?:packages|apps)\/[^/]+|fixtures)\/dist\//;

const loaded = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:")) {
      const [, project] = BUILT.exec(relative(ROOT, fileURLToPath(url)).split(sep).join("/")) ?? [];
      if (project !== undefined) loaded.add(project);
    }
    return nextLoad(url, context);
  },
});

/** Returns the folders of the projects whose builds this process has loaded. */
export function loadedProjects(): string[] {
  return [...loaded].sort();
}

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder with `.git` at or above a folder, or else the folder itself. */
export function repositoryOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, ".git"))) return each;
    if (dirname(each) === each) return folder;
  }
}

import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import type { LaunchedFile } from "@agentprint/launch";

/**
 * Returns the folder of a file's path; `undefined` if programs could resolve the path to different files. After a link,
 * some programs take `..` for the folder that holds the link, others for the parent of its target.
 */
export async function folderOf({ path, folder = "." }: LaunchedFile, cwd: string): Promise<string | undefined> {
  const lexical = resolve(cwd, folder);
  if (!/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(`${folder}/${path}`)) return lexical;
  try {
    const folders = await Promise.all([lexical, below(resolve(cwd), folder)].map((each) => realpath(each)));
    const files = folders.flatMap((each) => [resolve(each, path), below(each, path)]);
    const real = await Promise.all(files.map(async (each) => `${await realpath(dirname(each))}/${basename(each)}`));
    return new Set(real).size === 1 ? folders[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a path for the system to follow, without normalizing any `..`. */
function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

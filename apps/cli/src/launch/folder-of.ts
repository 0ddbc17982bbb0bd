import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import type { LaunchedFile } from "@agentprint/mcp-lock/launch";

/**
 * The folder from which the path of a file leads to it; `undefined` where it leads to another file by another road. Where `..` stands
 * behind a link, programs differ in whether that is the folder that has the link, or the one above where the link leads to.
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

/** A path as the system follows it, with each `..` where it stands. */
function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

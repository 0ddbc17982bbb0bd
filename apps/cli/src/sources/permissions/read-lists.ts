import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ParsedConfig, parseConfig } from "@agentprint/client-configs";
import { readClientConfig } from "../../clients/read-client-config.ts";
import { readRegularFile } from "../../files/read-input.ts";
import type { InputContext } from "../../run/context.ts";
import { type ExplainedError, isExplained, isMissing } from "../../run/errors.ts";
import { PERMISSION_LISTS, type PermissionEntry, type PermissionList } from "./list-table.ts";

/** The maximum number of files in one folder, and the maximum size of a file with front matter, in bytes. */
const MAX_FILES = 1000;
const MAX_BYTES = 256 * 1024;

/** The entries of all lists of a project, and the files that could not be read. */
interface PermissionLists {
  readonly entries: readonly PermissionEntry[];
  readonly problems: readonly ExplainedError[];
}

/**
 * Reads the lists of tools in the files of a project. A file that cannot be read is a problem; a missing one is not.
 */
export async function readLists(context: InputContext): Promise<PermissionLists> {
  const problems: ExplainedError[] = [];
  const entries: PermissionEntry[] = [];
  for (const list of PERMISSION_LISTS) {
    for (const file of await filesOf(context, list)) {
      try {
        entries.push(...(await readList(context, list, file)));
      } catch (error) {
        if (!isExplained(error)) throw error;
        if (!isMissing(error.cause)) problems.push(error);
      }
    }
  }
  return { entries, problems };
}

async function readList(context: InputContext, list: PermissionList, file: string): Promise<PermissionEntry[]> {
  if (list.part === "whole") return list.read(file, await readClientConfig(context, file, "regular"));
  const config = await frontMatterOf(context, file);
  if (config === undefined) return [];
  // The YAML begins after the line `---`.
  return list.read(file, config).map((entry) => ({ ...entry, line: entry.line + 1 }));
}

async function frontMatterOf(context: InputContext, file: string): Promise<ParsedConfig | undefined> {
  const text = new TextDecoder().decode(await readRegularFile(context, file, MAX_BYTES)).replaceAll("\r\n", "\n");
  const end = text.startsWith("---\n") ? text.indexOf("\n---", 3) : -1;
  if (end === -1) return undefined;
  const config = await parseConfig(text.slice("---\n".length, end + 1), `${file}.yaml`);
  return { ...config, file };
}

async function filesOf({ pathOf }: InputContext, { path }: PermissionList): Promise<string[]> {
  if (typeof path === "string") return [path];
  const { folder, ending } = path;
  try {
    const files = await readdir(pathOf(folder), { recursive: true });
    const listed = files.map((file) => join(folder, file)).filter((file) => `/${file}`.endsWith(ending));
    return listed.sort().slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

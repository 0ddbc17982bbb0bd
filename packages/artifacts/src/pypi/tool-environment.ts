import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";

/**
 * Returns, as exact requirements, what is installed in the environment that `uv tool install` created for a package:
 * `uvx` runs it without querying an index.
 *
 * @param name The normalized name of the package
 * @returns `undefined` if this version of the tool is not installed
 * @throws {@link ArtifactError} `no-program` without uv
 */
export async function toolRequirements(
  name: string,
  version: string,
  surroundings: Surroundings,
): Promise<string[] | undefined> {
  const { stdout, code } = await runProgram("uv", ["tool", "dir"], surroundings);
  if (code !== 0) return undefined;
  const folder = join(stdout.trim(), name);
  const libraries = [
    join(folder, "Lib"),
    ...(await names(join(folder, "lib"))).map((python) => join(folder, "lib", python)),
  ];
  const found = await Promise.all(libraries.map((library) => names(join(library, "site-packages"))));
  const installed = found.flat().flatMap((entry) => {
    const [, own = "", release = ""] = /^([^-]+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
    return own === "" ? [] : [`${own.replace(/[-_.]+/g, "-").toLowerCase()}==${release}`];
  });
  return installed.includes(`${name}==${version}`) ? installed : undefined;
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

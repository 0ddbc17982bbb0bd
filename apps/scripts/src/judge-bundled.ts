import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sync as spawnSync } from "cross-spawn";
import { BILL, LICENSES } from "./bundled-names.ts";
import { checkBill } from "./release/sbom.ts";

/** The bundler's comment before each module: `// ../../node_modules/.pnpm/yaml@2.9.1/node_modules/yaml/dist/index.js`. */
const MODULE = /^\s*\/\/ \S*node_modules\/\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;
/** The line before the text of each licence: `yaml@2.9.1 (ISC)`. */
const LICENSED = /(?:^|\n-{80}\n\n)((?:@[^/\s]+\/)?[^@\s]+@\S+) \([^\n]+\)\n\n(?!-{80})\S/g;

/**
 * Judges a tarball whose files contain modules of other packages: the licences and the bill of materials must name each
 * of these packages with its version, and no others.
 */
export async function judgeBundled(tarball: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "bundled-"));
  try {
    const { status, stderr } = spawnSync("tar", ["-xzf", tarball, "-C", folder], { encoding: "utf8" });
    if (status !== 0) return [`tar: ${stderr}`];
    return await judgeFolder(join(folder, "package/dist"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeFolder(folder: string): Promise<string[]> {
  const inside = new Set(globSync("**/*.js", { cwd: folder }).flatMap((file) => packagesIn(join(folder, file))));
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
  const [licenses, bill] = [read(LICENSES), read(BILL)];
  if (inside.size === 0 && licenses === "" && bill === "") return [];
  const licensed = new Set(Array.from(licenses.matchAll(LICENSED), ([, id = ""]) => id));
  const listed = bill === "" ? [] : await checkBill(bill);
  const others = new Set(listed.filter(({ name }) => !isOurs(name)).map(({ name, version }) => `${name}@${version}`));
  return [
    ...missing(`dist/${LICENSES}`, licensed, new Set([...inside, ...others])),
    ...missing(`dist/${BILL}`, others, new Set([...inside, ...licensed])),
  ];
}

/** Returns the packages that have modules in a built file. */
function packagesIn(file: string): string[] {
  return Array.from(readFileSync(file, "utf8").matchAll(MODULE), ([, stored = "", name = ""]) => {
    const [, version] = /^@?[^@]+@([^_(]+)/.exec(stored) ?? [];
    return `${name}@${version}`;
  });
}

const isOurs = (name: string): boolean => name === "agentprint" || name.startsWith("@agentprint/");

function missing(file: string, named: ReadonlySet<string>, wanted: ReadonlySet<string>): string[] {
  return [...wanted].filter((id) => !named.has(id)).map((id) => `expected ${id} in ${file}`);
}

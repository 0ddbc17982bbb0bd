/**
 * `node apps/scripts/src/release/advisories.ts <bill of materials> …`: asks npm whether an advisory concerns a package
 * in a bill of materials, such as one bundled into the command. Exit 1: one does. Exit 2: a bill could not be read, or
 * npm did not answer.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Run, runIn } from "./project.ts";
import { checkBill, type Package } from "./sbom.ts";

/** The part of the output of `npm audit --json` that this module reads. */
interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>;
  readonly message?: string;
}

interface Advisory {
  readonly name: string;
  readonly range: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
}

/**
 * Returns a line for each advisory about one of the packages. npm gets a lock with exactly these versions.
 *
 * @throws {Error} with npm's reason if the registry gives no answer
 */
export function advisoriesOf(packages: readonly Package[], registry?: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "advisories-"));
  try {
    writeLock(folder, packages);
    return readAdvisories(runIn(folder, {}), registry);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLock(folder: string, packages: readonly Package[]): void {
  // Each package gets an alias, because two versions of one package may be included.
  const places = packages.map(({ name, version }, index) => ({ place: `inside-${index}`, name, version }));
  const dependencies = Object.fromEntries(places.map(({ place, name, version }) => [place, `npm:${name}@${version}`]));
  const root = { name: "inside", version: "1.0.0", dependencies };
  const installed = places.map(({ place, name, version }) => [`node_modules/${place}`, { name, version }] as const);
  const lock = { ...root, lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(installed) } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

function readAdvisories(run: Run, registry: string | undefined): readonly string[] {
  const words = [
    "audit",
    "--json",
    "--package-lock-only",
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ];
  const { stdout, stderr } = run("npm", words, { code: "any" });
  const { vulnerabilities, message = stderr.trim() } = JSON.parse(stdout || "{}") as Audit;
  if (vulnerabilities === undefined) throw new Error(`npm audit: ${message}`);
  const found = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each === "object"));
  const lines = found.map(
    ({ name, range, severity, title, url }) => `${severity}: ${name} ${range}: ${title} (${url})`,
  );
  return [...new Set(lines)].sort();
}

/** Prints the advisories that concern a bill of materials; returns the exit code. */
async function judge(file: string): Promise<number> {
  try {
    const packages = await checkBill(readFileSync(file, "utf8"));
    const lines = advisoriesOf(packages);
    console.log(`${file}: ${lines.length} advisories concern ${packages.length} packages`);
    for (const line of lines) console.log(`Error: ${line}`);
    return lines.length > 0 ? 1 : 0;
  } catch (error) {
    console.log(`${file}: could not tell: ${(error as Error).message}`);
    return 2;
  }
}

if (import.meta.main) {
  const files = process.argv.slice(2);
  if (files.length === 0) console.log("expected the file of a bill of materials");
  const codes = await Promise.all(files.map(judge));
  process.exitCode = files.length === 0 ? 2 : Math.max(...codes);
}

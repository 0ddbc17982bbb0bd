/**
 * `node apps/scripts/src/release/advisories.ts <bill of materials> …`: asks npm whether an advisory concerns a package that a bill of materials lists, such as one
 * that became part of the command. Exit 1: one does. Exit 2: npm could not be asked.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Run, runIn } from "./project.ts";
import { checkBill, type Package } from "./sbom.ts";

/** The part of the answer of `npm audit --json` that is read. */
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
 * Returns a line for each advisory that concerns one of the packages; `undefined` if the registry does not answer. npm
 * is given a lock that has these versions and no others.
 */
export function advisoriesOf(packages: readonly Package[], registry?: string): readonly string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), "advisories-"));
  try {
    writeLock(folder, packages);
    return readAdvisories(runIn(folder, {}), registry);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLock(folder: string, packages: readonly Package[]): void {
  // An alias for each, because two versions of one package may be inside.
  const places = packages.map(({ name, version }, index) => ({ place: `inside-${index}`, name, version }));
  const dependencies = Object.fromEntries(places.map(({ place, name, version }) => [place, `npm:${name}@${version}`]));
  const root = { name: "inside", version: "1.0.0", dependencies };
  const installed = places.map(({ place, name, version }) => [`node_modules/${place}`, { name, version }] as const);
  const lock = { ...root, lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(installed) } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

function readAdvisories(run: Run, registry: string | undefined): readonly string[] | undefined {
  const words = [
    "audit",
    "--json",
    "--package-lock-only",
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ];
  const { vulnerabilities } = JSON.parse(run("npm", words, { code: "any" }).stdout) as Audit;
  if (vulnerabilities === undefined) return undefined;
  const found = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each === "object"));
  const lines = found.map(
    ({ name, range, severity, title, url }) => `${severity}: ${name} ${range}: ${title} (${url})`,
  );
  return [...new Set(lines)].sort();
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const packages = await checkBill(readFileSync(file, "utf8"));
    const lines = advisoriesOf(packages);
    if (lines === undefined) {
      console.log(`${file}: the registry does not say whether an advisory concerns one of ${packages.length} packages`);
      process.exitCode = 2;
    } else {
      console.log(`${file}: ${lines.length} advisories concern ${packages.length} packages`);
      for (const line of lines) console.log(`Error: ${line}`);
      if (lines.length > 0) process.exitCode ??= 1;
    }
  }
}

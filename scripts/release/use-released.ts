import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestIn, publicPackages, REPOSITORY } from "../packed-packages.ts";
import { entriesOf, loadEntries } from "./entries.ts";
import type { LocalRegistry } from "./local-registry.ts";
import { makeProject, type Project } from "./project.ts";
import { makeSbom } from "./sbom.ts";
import { checkTypes } from "./types.ts";

type Versions = ReadonlyMap<string, string>;
const specifiersOf = (versions: Versions): string[] => Array.from(versions, ([name, version]) => `${name}@${version}`);

/** Installs all packages with npm, as a stranger does; what they are made of, and whether an advisory concerns that. */
export async function useInstalled(folder: string, registry: LocalRegistry, versions: Versions): Promise<Project> {
  const project = makeProject(folder, registry);
  project.install(...specifiersOf(versions));
  const { components } = await makeSbom(project);
  console.log(`bill of materials: ${components} components, valid CycloneDX`);
  const audit = project.run("npm", ["audit", "--json", `--registry=${registry.upstream}`], { code: "any" }).stdout;
  const { metadata } = JSON.parse(audit) as { metadata?: { vulnerabilities: Readonly<Record<string, number>> } };
  console.log(`npm audit: ${metadata ? JSON.stringify(metadata.vulnerabilities) : "the registry does not answer it"}`);
  return project;
}

/** The versions of the optional packages that the workspace itself is tested with. */
function peersOfWorkspace(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of publicPackages().values()) {
    const { peerDependencies = {}, dependencies = {}, devDependencies = {} } = manifestIn(folder);
    for (const name of Object.keys(peerDependencies)) found.set(name, { ...dependencies, ...devDependencies }[name] ?? "");
  }
  return found;
}

/**
 * Installs all packages with pnpm, which gives each package only what it asks for, and with all optional packages; loads every entry and checks its types.
 */
export function useTogether(folder: string, registry: LocalRegistry, versions: Versions): void {
  const project = makeProject(folder, registry);
  const types = manifestIn(REPOSITORY).devDependencies?.["@types/node"];
  const wanted = [...specifiersOf(peersOfWorkspace()), ...specifiersOf(versions), `@types/node@${types}`];
  writeFileSync(join(folder, "pnpm-workspace.yaml"), "hoist: false\nautoInstallPeers: false\nignoreScripts: true\n");
  project.run("npx", ["--yes", "pnpm@12", "add", "--prefer-offline", ...wanted]);
  const entries = Array.from(versions.keys(), (name) => entriesOf(project, name)).flat();
  loadEntries(project, { label: `Node ${process.versions.node}`, program: process.execPath }, entries);
  checkTypes(project, "TypeScript of the workspace", join(REPOSITORY, "node_modules/.bin/tsc"), entries);
}

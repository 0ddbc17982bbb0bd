import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { manifestIn, PNPM, publicPackages, REPOSITORY } from "../packed-packages.ts";
import { advisoriesOf } from "./advisories.ts";
import { runOnNodes } from "./command-on-nodes.ts";
import { entriesOf, loadEntries } from "./entries.ts";
import { makeProject, type Project } from "./project.ts";
import { checkBill, makeSbom, type Package, shippedBill } from "./sbom.ts";
import { checkTypes } from "./types.ts";
import { runVectors } from "./vectors-installed.ts";

type Versions = ReadonlyMap<string, string>;
/** A server to pin. */
const SERVER = "@modelcontextprotocol/server-filesystem@2026.7.4";
const specifiersOf = (versions: Versions): string[] => Array.from(versions, ([name, version]) => `${name}@${version}`);

/**
 * Installs all packages with npm, as a stranger would, and checks their bills of materials, advisories about them, and
 * the commands.
 */
export async function useInstalled(folder: string, registry: LocalRegistry, versions: Versions): Promise<Project> {
  const project = makeProject(folder, registry);
  project.install(...specifiersOf(versions), SERVER);
  const { components } = await makeSbom(project);
  console.log(`bill of materials: ${components} components, valid CycloneDX`);
  const audit = project.run("npm", ["audit", "--json", `--registry=${registry.upstream}`], { code: "any" }).stdout;
  const { metadata } = JSON.parse(audit) as { metadata?: { vulnerabilities: Readonly<Record<string, number>> } };
  console.log(`npm audit: ${metadata ? JSON.stringify(metadata.vulnerabilities) : "the registry does not support it"}`);
  const inside = await checkBill(shippedBill(project, "agentprint") ?? "");
  console.log(
    `npm audit of the ${inside.length} packages that are part of agentprint: ${advisoriesOn(inside, registry)}`,
  );
  runVectors(project);
  checkAddress(project);
  runOnNodes(project, versions.keys(), [...peersOfWorkspace().keys()]);
  return project;
}

function advisoriesOn(packages: readonly Package[], { upstream }: LocalRegistry): string {
  try {
    return advisoriesOf(packages, upstream).join("; ") || "none";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Pins tools and compares them in an empty folder, using only the dependencies that the package installs. */
export function usePins(folder: string, registry: LocalRegistry, versions: Versions): void {
  const project = makeProject(folder, registry);
  project.install(`@agentprint/tool-pins@${versions.get("@agentprint/tool-pins")}`);
  writeFileSync(join(folder, "use.mjs"), PINS);
  assert.equal(project.run(process.execPath, ["use.mjs"]).stdout, "false /description mcp/tool-prose-changed\n");
}

const PINS = `import { compareTools, formatPins, parsePins, pinTools } from "@agentprint/tool-pins";

const text = formatPins(pinTools([{ name: "read", description: "Reads one file and returns its whole text" }], { definitions: true }));
const now = [{ name: "read", description: "Reads one file and returns its full text" }];
const { same, changes, findings } = compareTools(parsePins(text), now);
console.log(same, changes[0].pointer, findings[0].rule);
`;

/** Throws unless a message of the installed command contains the address of its page in the repository that published it. */
function checkAddress({ folder, run, bin }: Project): void {
  const manifest = readFileSync(join(folder, "node_modules/agentprint/package.json"), "utf8");
  const { repository } = JSON.parse(manifest) as { repository: { url: string } };
  const { stderr } = run(bin("agentprint"), ["explain", "none"], { code: 2 });
  const address = `${repository.url.slice("git+".length, -".git".length)}/blob/HEAD/docs/ERRORS.md#clierror-usage`;
  assert.ok(stderr.replaceAll(/\s+/g, "").includes(address), stderr);
}

/** Returns the versions of the optional packages that the workspace itself is tested with. */
function peersOfWorkspace(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of publicPackages().values()) {
    const { peerDependencies = {}, dependencies = {}, devDependencies = {} } = manifestIn(folder);
    for (const name of Object.keys(peerDependencies))
      found.set(name, { ...dependencies, ...devDependencies }[name] ?? "");
  }
  return found;
}

/**
 * Installs all packages and all optional packages with pnpm, which gives each package only what it requires. Loads
 * every entry, and checks its types with the compiler of the workspace.
 */
export function useTogether(
  folder: string,
  registry: LocalRegistry,
  versions: Versions,
): { project: Project; entries: string[] } {
  const project = makeProject(folder, registry);
  const types = manifestIn(REPOSITORY).devDependencies?.["@types/node"];
  const wanted = [...specifiersOf(peersOfWorkspace()), ...specifiersOf(versions), `@types/node@${types}`];
  writeFileSync(join(folder, "pnpm-workspace.yaml"), "hoist: false\nautoInstallPeers: false\nignoreScripts: true\n");
  const [pnpm, ...first] = PNPM;
  project.run(pnpm, [...first, "add", "--prefer-offline", ...wanted]);
  const entries = Array.from(versions.keys(), (name) => entriesOf(project, name)).flat();
  loadEntries(project, { label: `Node ${process.versions.node}`, program: process.execPath }, entries);
  checkTypes(project, "TypeScript of the workspace", join(REPOSITORY, "node_modules/.bin/tsc"), entries);
  return { project, entries };
}

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importsOf as readImports } from "./module-graph.ts";
import { builtinModules, touchedGlobals } from "./touched-globals.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** Node's modules that only compute, and touch nothing outside the process. */
const COMPUTING = new Set(["node:buffer", "node:crypto", "node:util", "node:zlib"]);

interface Row {
  readonly layer: string;
  readonly folder: string;
  /** Names of the packages that it imports, or undefined if it may import every package. */
  readonly imports: readonly string[] | undefined;
  /** `nothing`, or the resources that it uses; "… in `src/node`" names the one folder that does. */
  readonly touches: string;
}

function readTable(): Row[] {
  const text = readFileSync(`${REPOSITORY}docs/ARCHITECTURE.md`, "utf8");
  return [...text.matchAll(/^\| (L\d) +\| `([^`]+)` +\| ([^|]+?) +\| ([^|]+?) +\|/gm)].map((row) => {
    const [, layer = "", folder = "", imports = "", touches = ""] = row;
    const names = [...imports.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name).sort();
    return { layer, folder, imports: imports === "any package" ? undefined : names, touches };
  });
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? importsIn(readFileSync(`${REPOSITORY}${file}`, "utf8"));
  known.set(file, found);
  return found;
}

function importsIn(text: string): readonly string[] {
  return [...readImports(text), ...builtinModules(text)];
}

/** Returns the short name of a folder's package: `canonical-json` for `@agentprint/canonical-json`. */
function nameOf(folder: string): string {
  return JSON.parse(readFileSync(`${REPOSITORY}${folder}/package.json`, "utf8")).name.replace("@agentprint/", "");
}

const rows = readTable();
const layerOf = new Map(rows.map(({ layer, folder }) => [nameOf(folder), layer]));

/** Returns what the sources of a folder import, each with the importing file. */
function workspaceImports({ folder }: Row): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: REPOSITORY })) {
    for (const specifier of importsOf(file)) {
      const [, name] = specifier.match(/^(?:@agentprint\/)([^/]+)|^agentprint$/) ?? [];
      if (specifier.startsWith("@agentprint/") || specifier === "agentprint") found.set(name ?? specifier, file);
    }
  }
  found.delete(nameOf(folder));
  return found;
}

/** The libraries that a layer, or a package instead of its layer, may depend on. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  L0: [],
  L1: ["zod"],
  "packages/canonical-json": ["@noble/hashes"],
};

describe("the table of layers in ARCHITECTURE.md", () => {
  test("has a row for each package and each app", () => {
    const patterns = [
      "packages/*/package.json",
      "apps/*/package.json",
      "fixtures/{,ports/*/}package.json",
      "lab/package.json",
    ];
    const folders = globSync(patterns, { cwd: REPOSITORY });
    expect(rows.map(({ folder }) => folder).sort()).toEqual(
      folders.map((path) => path.replace("/package.json", "")).sort(),
    );
  });

  test.each(rows)("$folder imports exactly the packages in its row", (row) => {
    const found = workspaceImports(row);
    if (row.imports) expect([...found.keys()].sort()).toEqual(row.imports);
    else expect([...found.keys()].filter((name) => !layerOf.has(name) || layerOf.get(name) === row.layer)).toEqual([]);
  });

  test.each(rows)("$folder declares no other package of the workspace", (row) => {
    const { dependencies = {} } = JSON.parse(readFileSync(`${REPOSITORY}${row.folder}/package.json`, "utf8"));
    const declared = Object.keys(dependencies).filter((name) => name.startsWith("@agentprint/"));
    const named = new Set(row.imports ?? layerOf.keys());
    expect(declared.map((name) => name.replace("@agentprint/", "")).filter((name) => !named.has(name))).toEqual([]);
  });

  test.each(rows.filter(({ layer }) => layer === "L0" || layer === "L1"))(
    "$folder depends on at most the library that its layer allows",
    ({ folder, layer }) => {
      const { dependencies = {} } = JSON.parse(readFileSync(`${REPOSITORY}${folder}/package.json`, "utf8"));
      const libraries = Object.keys(dependencies).filter((name) => !name.startsWith("@agentprint/"));
      expect(libraries.filter((name) => !(LIBRARIES[folder] ?? LIBRARIES[layer])?.includes(name))).toEqual([]);
    },
  );

  test.each(rows)("$folder imports from layers below, or from its own layer if no other row imports it back", (row) => {
    for (const name of row.imports ?? []) {
      const other = rows.find(({ folder }) => folder === `packages/${name}`);
      expect(other?.layer, name).toBeDefined();
      expect((other as Row).layer <= row.layer, `${row.folder} (${row.layer}) imports ${name} (${other?.layer})`).toBe(
        true,
      );
      expect(other?.imports).not.toContain(nameOf(row.folder));
    }
  });

  test.each(rows.filter(({ touches }) => /^nothing$|`/.test(touches)))(
    "$folder touches $touches: no module of Node does otherwise",
    (row) => {
      const touching = sourcesOf(row)
        .flatMap((file) => importsOf(file).map((specifier) => ({ file, specifier })))
        .filter(({ specifier }) => specifier.startsWith("node:") && !COMPUTING.has(specifier));
      expect(touching).toEqual([]);
    },
  );

  test("in the guard, the messages of a connection are dispatched to calls and verify, and neither leads back", () => {
    const below = globSync("packages/guard/src/{calls,link,read,results,verify}/**/*.ts", { cwd: REPOSITORY });
    expect(below.length).toBeGreaterThan(20);
    const leading = below.filter((file) => importsOf(file).some((specifier) => /\bconnection\//.test(specifier)));
    expect(leading).toEqual([]);
  });

  test.each(rows.filter(({ touches }) => !/everything|browser/.test(touches)))(
    "$folder touches $touches: no global does otherwise",
    (row) => {
      const named = new Set(row.touches.split(/, | and /));
      const touching = sourcesOf(row).flatMap((file) =>
        touchedGlobals(readFileSync(`${REPOSITORY}${file}`, "utf8")).map((touched) => ({ file, ...touched })),
      );
      expect(touching.filter(({ resource }) => !named.has(resource))).toEqual([]);
    },
  );
});

/** Returns the sources of a folder, without those in the one folder that its row exempts. */
function sourcesOf({ folder, touches }: Row): string[] {
  const [, exempt] = touches.match(/`([^`]+)`/) ?? [];
  return globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: REPOSITORY }).filter(
    (file) => !exempt || !file.startsWith(`${folder}/${exempt}/`),
  );
}

describe("a global is found", () => {
  test.each([
    ["setTimeout(f, 1)", "timers"],
    ["const every = setInterval;", "timers"],
    ["const at = Date.now();", "clock"],
    ["const now = clock ?? Date.now;", "clock"],
    ["const at = new Date();", "clock"],
    ["performance.now()", "clock"],
    ["crypto.randomUUID()", "chance"],
    ['import { randomBytes } from "node:crypto";', "chance"],
    ["globalThis.fetch(url)", "sockets"],
    ["const { process } = globalThis as Platform;", "own process"],
    ["const { process: own } = globalThis;", "own process"],
    ["const all = { process };", "own process"],
    ["const load = process.getBuiltinModule;", "own process"],
    ["process.getBuiltinModule(name);", "own process"],
  ])("in %s", (text, resource) => {
    expect(touchedGlobals(text)).toEqual([{ resource, line: 1 }]);
  });

  test.each([
    "const at = new Date(0);",
    'process.getBuiltinModule("node:crypto");',
    'import * as crypto from "node:crypto"; crypto.createHash("sha256");',
    'import { createHash } from "node:crypto";',
    "function run(fetch: typeof globalThis.fetch) { return fetch(url); }",
    "interface Platform { readonly process?: object }",
    "const program = { process: 1 }; program.process;",
    "const { fetch } = options; fetch(url);",
  ])("and none in %s", (text) => {
    expect(touchedGlobals(text)).toEqual([]);
  });
});

test("a call that loads a module of the platform is an import", () => {
  expect(builtinModules('const files = () => process.getBuiltinModule("node:fs");')).toEqual(["node:fs"]);
  expect(builtinModules("const load = (name: string) => process.getBuiltinModule(name);")).toEqual([]);
});

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { type Plugin, rolldown } from "rolldown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BILL, LICENSES } from "../../../apps/scripts/src/bundled-names.ts";
import { judgeBundled } from "../../../apps/scripts/src/judge-bundled.ts";
import { REPOSITORY } from "../examples.ts";

/** Typed as a Rolldown plugin, although its module declares a Rollup plugin. */
const { bundledPackages } = (await import(`${REPOSITORY}bundled-packages.ts`)) as {
  bundledPackages(self: { readonly name: string; readonly version: string }, folder: string): Plugin;
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundled-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

interface Installed {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string;
}

/** Returns where pnpm keeps a package, which is in the workspace or comes from a registry. */
const placeOf = ({ name, version }: Installed): string =>
  name.startsWith("@agentprint/")
    ? name.replace("@agentprint", "packages")
    : `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules/${name}`;

/** Installs packages as pnpm does, and builds a package that uses them into `package/dist`. */
async function build(...packages: readonly (Installed & { readonly text?: string })[]): Promise<void> {
  for (const { text, ...manifest } of packages) {
    const place = placeOf(manifest);
    write(`${place}/package.json`, JSON.stringify({ ...manifest, main: "index.js", type: "module" }));
    write(`${place}/index.js`, `console.log(${JSON.stringify(manifest)});`);
    if (text !== undefined) write(`${place}/LICENSE`, text);
  }
  write("package.json", "{}");
  write("src/main.js", packages.map((each) => `import "../${placeOf(each)}/index.js";`).join("\n"));
  const dist = join(folder, "package/dist");
  const bundle = await rolldown({
    cwd: folder,
    input: "src/main.js",
    plugins: [bundledPackages({ name: "built", version: "1.0.0" }, dist)],
  });
  await bundle.write({ dir: dist });
  await bundle.close();
}

/** Packs the files in `package`, and judges the result as `pack:check` does. */
function judge(): Promise<string[]> {
  const tarball = join(folder, "built.tgz");
  outputOf("tar", ["-czf", tarball, "-C", folder, "package"]);
  return judgeBundled(tarball);
}

const dist = (name: string): string => `package/dist/${name}`;
const read = (name: string): string => readFileSync(join(folder, dist(name)), "utf8");

/** Replaces text in a file of the built package, which must contain it. */
function replace(name: string, from: string | RegExp, to: string): void {
  const [before, after] = [read(name), read(name).replaceAll(from, to)];
  expect(after).not.toBe(before);
  write(dist(name), after);
}

const FIRST = { name: "first", version: "1.0.0", license: "ISC", text: "Permission of first" };
const SECOND = { name: "@scope/second", version: "2.0.0", license: "MIT", author: "Mia Example" };

test("a build has the licence of each package inside and names it in the bill of materials, each version of two, and its own packages in the bill alone", async () => {
  const own = { name: "@agentprint/own", version: "1.0.0", license: "MIT" };
  await build(FIRST, { ...FIRST, version: "1.1.0" }, SECOND, { ...own, text: "ours" });
  expect(read(LICENSES)).toMatch(/^@scope\/second@2\.0\.0 \(MIT\)\n\nMIT License\n\nCopyright \(c\) Mia Example\n/);
  expect(read(LICENSES)).toContain("first@1.0.0 (ISC)\n\nPermission of first\n");
  expect(read(LICENSES)).toContain("first@1.1.0 (ISC)\n\nPermission of first\n");
  expect(read(LICENSES)).not.toContain("ours");
  const { components, metadata } = JSON.parse(read(BILL)) as {
    components: { purl: string }[];
    metadata: { component: { purl: string } };
  };
  expect(components.map(({ purl }) => purl)).toEqual([
    "pkg:npm/%40agentprint/own@1.0.0",
    "pkg:npm/%40scope/second@2.0.0",
    "pkg:npm/first@1.0.0",
    "pkg:npm/first@1.1.0",
  ]);
  expect(metadata.component.purl).toBe("pkg:npm/built@1.0.0");
  expect(await judge()).toEqual([]);
});

test("a package whose licence has no text fails the build", async () => {
  await expect(build({ name: "first", version: "1.0.0", license: "ISC" })).rejects.toThrow(
    "first@1.0.0: expected a file with the licence",
  );
  await expect(build({ name: "second", version: "1.0.0", license: "MIT" })).rejects.toThrow(
    "second@1.0.0: expected a file with the licence",
  );
});

test("a package that the licences or the bill of materials leave out, or have in another version, is found", async () => {
  await build(FIRST, SECOND);
  const [licenses, bill] = [read(LICENSES), read(BILL)];
  replace(LICENSES, "first@1.0.0", "first@1.0.1");
  expect(await judge()).toEqual([`expected first@1.0.0 in dist/${LICENSES}`, `expected first@1.0.1 in dist/${BILL}`]);
  write(dist(LICENSES), licenses.replace("Permission of first", ""));
  expect(await judge()).toEqual([`expected first@1.0.0 in dist/${LICENSES}`]);
  write(dist(LICENSES), licenses);
  replace(BILL, /"version": "2\.0\.0"/g, '"version": "2.0.1"');
  expect(await judge()).toEqual([
    `expected @scope/second@2.0.1 in dist/${LICENSES}`,
    `expected @scope/second@2.0.0 in dist/${BILL}`,
  ]);
  write(dist(BILL), bill);
  expect(await judge()).toEqual([]);
  for (const name of [LICENSES, BILL]) rmSync(join(folder, dist(name)));
  expect(new Set(await judge())).toEqual(
    new Set(
      [LICENSES, BILL].flatMap((file) =>
        ["first@1.0.0", "@scope/second@2.0.0"].map((id) => `expected ${id} in dist/${file}`),
      ),
    ),
  );
});

test("a package that has nothing of others inside needs neither; what is no tarball is a problem", async () => {
  await build();
  for (const name of [LICENSES, BILL]) rmSync(join(folder, dist(name)), { force: true });
  expect(globSync("*.js", { cwd: join(folder, "package/dist") })).toEqual(["main.js"]);
  expect(await judge()).toEqual([]);
  write("built.tgz", "not a tarball");
  expect(await judgeBundled(join(folder, "built.tgz"))).toEqual([expect.stringMatching(/^tar: /)]);
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Contrib, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import license, { type Dependency } from "rollup-plugin-license";
import { BILL, LICENSES } from "./apps/scripts/src/bundled-names.ts";

/** The name and the version of the package that is built. */
interface Self {
  readonly name: string;
  readonly version: string;
}

/**
 * A plugin that finds the packages from which modules became part of a build, and writes their licences and a bill of materials next to it.
 *
 * @param folder The folder of the build
 * @throws {Error} where the text of a licence is not known
 */
export function bundledPackages(self: Self, folder: string): ReturnType<typeof license> {
  const write = (found: Dependency[]): void => {
    const packages = found.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, LICENSES), licensesOf(packages.filter(({ name }) => !isOurs(name))));
    writeFileSync(join(folder, BILL), billOf(self, packages));
  };
  return license({ thirdParty: { multipleVersions: true, output: write } });
}

const idOf = ({ name, version }: Pick<Dependency, "name" | "version">): string => `${name}@${version}`;

/** Whether a package comes from this repository, whose own licence is shipped with each package. */
const isOurs = (name: string | null): boolean => name === "agentprint" || name?.startsWith("@agentprint/") === true;

function licensesOf(packages: readonly Dependency[]): string {
  const texts = packages.map((found) =>
    [
      `${idOf(found)} (${found.license})`,
      textOf(found),
      ...(found.noticeText === null ? [] : [found.noticeText.trim()]),
    ].join("\n\n"),
  );
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The text of a package's licence. Of a package under the MIT licence that has no such file, the text is made with its author's name. */
function textOf(found: Dependency): string {
  if (found.licenseText !== null) return found.licenseText.trim();
  const author = found.author?.text();
  if (found.license !== "MIT" || !author) throw new Error(`${idOf(found)}: expected a file with the licence`);
  return readFileSync(new URL("LICENSE", import.meta.url), "utf8")
    .trim()
    .replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
}

function billOf(self: Self, packages: readonly Dependency[]): string {
  const { LicenseFactory } = Contrib.License.Factories;
  const { Builders, Factories } = Contrib.FromNodePackageJson;
  const licenses = new LicenseFactory(() => {}); // an expression that a package.json has is taken as it is
  const builder = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licenses);
  const componentOf = (name: string, version: string, kind?: string | null): Models.Component => {
    const component = builder.makeComponent({ name, version, ...(kind && { license: kind }) });
    if (component === undefined)
      throw new Error(`${name}@${version}: expected a name that a bill of materials can have`);
    component.purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    component.bomRef.value = component.purl;
    return component;
  };
  const bill = new Models.Bom({ metadata: new Models.Metadata({ component: componentOf(self.name, self.version) }) });
  for (const { name, version, license: kind } of packages)
    bill.components.add(componentOf(name ?? "", version ?? "", kind));
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(normalizer).serialize(bill, { sortLists: true, space: 2 })}\n`;
}

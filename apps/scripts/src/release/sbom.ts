/**
 * `node apps/scripts/src/release/sbom.ts <file> <package@version>`: writes the bill of materials (CycloneDX) of a
 * package: the code bundled into it, if the package lists that, or else the packages that the registry installs with
 * it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { BILL } from "../bundled-names.ts";
import { makeProject, type Project } from "./project.ts";

/** The members of a bill of materials that this module reads. */
interface BillOfMaterials {
  readonly specVersion: Spec.Version;
  readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[];
}

/** An npm package. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

/** Returns the packages that a bill of materials lists. Throws if it does not match the schema of CycloneDX. */
export async function checkBill(text: string): Promise<readonly Package[]> {
  const { specVersion, components } = JSON.parse(text) as BillOfMaterials;
  const problem = await new Validation.JsonStrictValidator(specVersion).validate(text);
  if (problem !== null) throw new Error(`CycloneDX ${specVersion}: ${JSON.stringify(problem)}`);
  return components.map(({ group, name, version }) => ({
    name: group === undefined ? name : `${group}/${name}`,
    version,
  }));
}

/** Returns an installed package's bill of materials of the code bundled into it; `undefined` if it has none. */
export function shippedBill({ folder }: Project, name: string): string | undefined {
  const file = join(folder, "node_modules", name, "dist", BILL);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Returns npm's bill of materials for a project. */
export async function makeSbom({ run }: Project): Promise<{ readonly text: string; readonly components: number }> {
  const text = run("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"]).stdout;
  return { text, components: (await checkBill(text)).length };
}

if (import.meta.main) {
  const [file = "", wanted = ""] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "sbom-"));
  try {
    const project = makeProject(folder);
    project.install(wanted);
    const text = shippedBill(project, wanted.slice(0, wanted.lastIndexOf("@"))) ?? (await makeSbom(project)).text;
    writeFileSync(file, text);
    console.log(`${file}: ${(await checkBill(text)).length} components`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

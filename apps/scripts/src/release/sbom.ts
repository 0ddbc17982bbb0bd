/**
 * `node apps/scripts/src/release/sbom.ts <file> <package@version> …`: writes what the packages are made of, as they are installed from the registry,
 * as a bill of materials (CycloneDX).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { makeProject, type Project } from "./project.ts";

/** The members of a bill of materials that are read. */
interface BillOfMaterials {
  readonly specVersion: Spec.Version;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/**
 * The bill of materials of a project, by npm. Throws if it does not have the form that the schema of CycloneDX allows.
 */
export async function makeSbom({ run }: Project): Promise<{ readonly text: string; readonly components: number }> {
  const text = run("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"]).stdout;
  const { specVersion, components } = JSON.parse(text) as BillOfMaterials;
  const problem = await new Validation.JsonStrictValidator(specVersion).validate(text);
  if (problem !== null) throw new Error(`CycloneDX ${specVersion}: ${JSON.stringify(problem)}`);
  return { text, components: components.length };
}

if (import.meta.main) {
  const [file = "", ...wanted] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "sbom-"));
  try {
    const project = makeProject(folder);
    project.install(...wanted);
    const { text, components } = await makeSbom(project);
    writeFileSync(file, text);
    console.log(`${file}: ${components} components`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";

/** The ways in which a project resolves modules: by Node's own rules, or like its bundler. */
const RESOLUTIONS: readonly (readonly [module: string, resolution: string])[] = [
  ["NodeNext", "NodeNext"],
  ["ESNext", "bundler"],
];
/** Matches errors in the project, in its settings, and in this repository's declarations. */
const OURS = /^(every-entry|error |.*node_modules\/(@agentprint|agentprint)\/)/;

/**
 * Type-checks a module that imports every entry, with the packages' own declarations and without `skipLibCheck`. Errors
 * in the declarations of other packages do not count. Throws if there are errors.
 */
export function checkTypes(project: Project, label: string, tsc: string, entries: readonly string[]): void {
  const imports = entries.map((entry, index) => {
    const attribute = entry.endsWith(".json") ? ' with { type: "json" }' : "";
    const binding = attribute === "" ? `* as entry${index}` : `entry${index}`;
    return `import ${binding} from "${entry}"${attribute};\nentry${index} satisfies object;\n`;
  });
  writeFileSync(join(project.folder, "every-entry.mts"), imports.join(""));
  for (const [module, moduleResolution] of RESOLUTIONS) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
      noEmit: true,
    };
    writeFileSync(
      join(project.folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["every-entry.mts"] }),
    );
    const printed = project.run(tsc, ["-p", "."], { code: "any" }).stdout;
    const ours = printed.split("\n").filter((line) => OURS.test(line));
    if (ours.length > 0) throw new Error(`types, ${label}, ${moduleResolution}:\n${ours.join("\n")}`);
    console.log(`types, ${label}, ${moduleResolution}: ${entries.length} entries`);
  }
}

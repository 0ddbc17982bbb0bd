import { join } from "node:path";
import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  skipLibCheck: true,
  strict: true,
  types: [],
};

/**
 * Returns the names of the members that declared types have, by the name of the type. Reads the installed type
 * declarations, so that an option of a new version is listed without being written down here.
 *
 * @param folder - The folder from which modules are imported.
 * @param text - TypeScript that declares the types: `import type …; export type Agent = …;`.
 * @throws {@link Error} when a type has no members, because its declaration was not found
 */
export function declaredOptions(folder: string, text: string): Record<string, string[]> {
  const file = join(folder, "declared-options-of.ts");
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, text, target, true) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], OPTIONS, host);
  const checker = program.getTypeChecker();
  const declared = program.getSourceFile(file)?.statements.filter((statement) => ts.isTypeAliasDeclaration(statement));
  return Object.fromEntries(
    (declared ?? []).map((alias) => {
      const type = checker.getTypeAtLocation(alias);
      const parts = type.isUnion() ? type.types : [type];
      const names = new Set(parts.flatMap((part) => checker.getPropertiesOfType(part).map(({ name }) => name)));
      if (names.size === 0) throw new Error(`no members of the type ${alias.name.text} were found from ${folder}`);
      return [alias.name.text, [...names].sort()];
    }),
  );
}

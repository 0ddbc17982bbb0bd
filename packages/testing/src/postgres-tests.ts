import { globSync, readFileSync } from "node:fs";
import { whyNoPostgres } from "./postgres-programs.ts";

interface Project {
  readonly config: { readonly name: string | undefined };
}

/** Returns the test files of a package that start PostgreSQL, as paths in the package. */
export function postgresTests(root: string): string[] {
  return globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
    /\b(startPostgres|postgresDatabases|tryOnDisk)\b/.test(readFileSync(`${root}/${file}`, "utf8")),
  );
}

/** Prints, before the tests of a package, why those that start PostgreSQL are skipped; in CI, throws instead. */
export function setup({ config: { name } }: Project): void {
  const line = `PostgreSQL cannot run here: ${whyNoPostgres()}; the test files of ${name} that start it are skipped`;
  if (process.env["CI"]) throw new Error(line);
  console.error(line);
}

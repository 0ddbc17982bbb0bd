import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inRepository = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** The folders that have quick tests. */
export const QUICK_ROOTS: readonly string[] = ["packages", "apps"]
  .flatMap((parent) => readdirSync(inRepository(parent)).map((name) => `${parent}/${name}`))
  .concat("fixtures", "docs")
  .filter((root) => existsSync(inRepository(`${root}/test`)));

/** The folders of the repository that have tests; each is a Vitest project of the same name. All tests of the lab are slow. */
export const TEST_ROOTS: readonly string[] = [...QUICK_ROOTS, "lab"];

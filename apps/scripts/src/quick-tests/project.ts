/**
 * The script `test` of each package, for `turbo run test`: runs the quick tests of the package in whose folder it runs,
 * or of the folder that its first argument names. After `pnpm test` has run the tests of many packages in one process,
 * this script only reports that they passed.
 */
import { relative, resolve } from "node:path";
import { REPOSITORY } from "../packed-packages.ts";
import { projectsOf, runVitest } from "./vitest.ts";

const root = relative(REPOSITORY, resolve(process.argv[2] ?? ".")).replaceAll("\\", "/");
const { TURBO_HASH: hash, AGENTPRINT_TESTS_PASSED: passed } = process.env;
if (passed === undefined) process.exitCode = runVitest(projectsOf(root));
else if (hash !== undefined && passed.split(" ").includes(hash))
  console.log("Passed in one process with other packages.");
else {
  console.log("Files have changed since these tests ran.");
  process.exitCode = 1;
}

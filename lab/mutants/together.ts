import type { Checkout } from "./checkout.ts";
import type { Mutant } from "./choose.ts";
import { locate } from "./locate.ts";
import type { Outcome } from "./results.ts";
import { ENDLESS, type Failure, importersOf, ownTests, packageOf, runTests } from "./run-tests.ts";

/** The time limit in seconds for a group of mutants; the tests alone take minutes. */
const LIMIT = 3600;

/**
 * Runs all quick tests of the mutants' packages and of the packages that import them against the mutants. Most mutants
 * survive, and a complete run takes minutes, so they are applied together. The test files that fail then run against
 * each mutant alone, and the mutants that pass them are applied together again, until all tests pass.
 */
export async function testTogether(
  mutants: readonly Mutant[],
  checkout: Checkout,
  report: (outcome: Outcome) => void,
): Promise<void> {
  if (mutants.length === 0) return;
  const { applied, files, left } = applyAll(mutants, checkout);
  const folders = [...new Set(files.map(packageOf))];
  const projects = new Set(folders.flatMap((own) => importersOf(checkout.root, own)));
  const args = [...folders.flatMap(ownTests), ...[...projects].flatMap((project) => ["--project", project])];
  console.log(`${applied.length} mutants together: ${applied.map(({ id }) => `#${id}`).join(" ")}`);
  const { failures, seconds } = await runTests(checkout, args, LIMIT);
  checkout.clean();
  for (const { reason } of failures) console.log(`    fails: ${reason}`);
  if (failures.length === 0) for (const { id } of applied) report({ id, seconds });
  else if (applied.length === 1)
    report({ id: (applied[0] as Mutant).id, killedBy: (failures[0] as Failure).reason, seconds });
  else {
    const survivors = await survivorsOf(applied, failures, checkout, report);
    const half = survivors.length < applied.length ? survivors.length : Math.ceil(applied.length / 2);
    await testTogether(survivors.slice(0, half), checkout, report);
    await testTogether(survivors.slice(half), checkout, report);
  }
  await testTogether(left, checkout, report);
}

/** Applies every mutant that can be applied together with the others; two changes to one statement cannot. */
function applyAll(mutants: readonly Mutant[], checkout: Checkout) {
  const [applied, files, left]: [Mutant[], string[], Mutant[]] = [[], [], []];
  for (const mutant of mutants) {
    const place = locate(mutant, checkout.root);
    if ("reason" in place) left.push(mutant);
    else {
      checkout.write(place.file, place.text);
      applied.push(mutant);
      files.push(place.file);
    }
  }
  return { applied, files, left };
}

/** Runs the failed test files against each mutant alone; returns the mutants that pass all of them. */
async function survivorsOf(
  mutants: readonly Mutant[],
  failures: readonly Failure[],
  checkout: Checkout,
  report: (outcome: Outcome) => void,
): Promise<Mutant[]> {
  const files = failures.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return [...mutants];
  const clean = await runTests(checkout, files, ENDLESS);
  checkout.clean();
  if (clean.failures[0]) throw new Error(`tests fail without a mutant: ${clean.failures[0].reason}`);
  const survivors: Mutant[] = [];
  for (const mutant of mutants) {
    applyAll([mutant], checkout);
    const { failures: own, seconds } = await runTests(checkout, [...files, "--bail=1"], LIMIT);
    checkout.clean();
    if (own[0]) report({ id: mutant.id, killedBy: own[0].reason, seconds });
    else survivors.push(mutant);
  }
  return survivors;
}

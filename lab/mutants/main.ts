/**
 * Checks whether the quick tests detect changes to the code: `pnpm --filter lab mutants [--count 150] [--seed 1] [--out
 * .mutants]`.
 *
 * Each mutant is one change in a source file. The tests of its package that import its file run against each mutant
 * alone, until the first failure. All quick tests of their packages and of the packages that import them then run
 * against the surviving mutants together (`together.ts`). All runs use a checkout of the current commit, separate from
 * the working tree. An interrupted run continues where it stopped; every outcome is a line of a file in the results
 * folder. `--base <commit>` then tests the survivors in the same way with the code and the tests of another commit.
 */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Checkout, git } from "./checkout.ts";
import { chooseMutants, type Mutant } from "./choose.ts";
import { locate } from "./locate.ts";
import { changeOf, type Outcome, type Plan, Results } from "./results.ts";
import { ENDLESS, ownTests, packageOf, runTests } from "./run-tests.ts";
import { testTogether } from "./together.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A test run counts as hanging after this multiple of its normal time, plus this many seconds. */
const [PATIENCE, AT_LEAST] = [5, 60];

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: ".mutants" },
    base: { type: "string" },
  },
});
const out = resolve(ROOT, values.out);
const results = new Results(out);
const folder = join(tmpdir(), `mutants-${createHash("sha256").update(out).digest("hex").slice(0, 8)}`);

// Even when interrupted, the process exits normally, so that it ends the tests that it has started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

await (values.base === undefined ? testMutants() : testSurvivors(values.base));

async function testMutants(): Promise<void> {
  const known = results.plan();
  const commit = known?.commit ?? git(ROOT, "rev-parse", "HEAD");
  if (git(ROOT, "status", "--porcelain") !== "") console.log("uncommitted changes are not tested");
  const checkout = Checkout.open(ROOT, join(folder, "head"), commit);
  const plan = known ?? makePlan(checkout, commit);
  console.log(`${plan.mutants.length} mutants of ${commit.slice(0, 10)}, seed ${plan.seed}`);
  await testAll("results", plan.mutants, checkout, `Mutants of ${commit.slice(0, 10)}, seed ${plan.seed}`);
}

function makePlan(checkout: Checkout, commit: string): Plan {
  const seed = Number(values.seed);
  const plan = { seed, commit, mutants: chooseMutants(checkout.root, Number(values.count), seed) };
  results.savePlan(plan);
  return plan;
}

async function testSurvivors(base: string): Promise<void> {
  const plan = results.plan();
  if (plan === undefined) throw new Error(`${out} has no results: run without --base first`);
  const survivors = results.outcomes("results").filter(({ killedBy, untested }) => !killedBy && !untested);
  const commit = git(ROOT, "rev-parse", base);
  const checkout = Checkout.open(ROOT, join(folder, "base"), commit);
  const mutants = plan.mutants.filter(({ id }) => survivors.some((survivor) => survivor.id === id));
  console.log(`${mutants.length} survivors against ${commit.slice(0, 10)}`);
  await testAll(`base-${commit.slice(0, 10)}`, mutants, checkout, `Survivors against ${commit.slice(0, 10)}`);
}

async function testAll(name: string, mutants: readonly Mutant[], checkout: Checkout, title: string): Promise<void> {
  const alone = `${name}-passed-alone`;
  const report = (end: Outcome): void => {
    const outcome = { ...results.outcomes(alone).find(({ id }) => id === end.id), ...end };
    results.add(name, outcome);
    const mutant = mutants.find(({ id }) => id === outcome.id) as Mutant;
    const { killedBy, untested, seconds } = outcome;
    const said = untested ? `not tested: ${untested}` : killedBy ? `killed by ${killedBy}` : "SURVIVED";
    console.log(`#${mutant.id} ${mutant.file}:${mutant.line} ${changeOf(mutant)}\n    ${said} (${seconds} s)`);
  };
  const isOpen = ({ id }: Mutant): boolean => !results.outcomes(name).some((outcome) => outcome.id === id);
  for (const mutant of mutants.filter(isOpen)) {
    if (results.outcomes(alone).some(({ id }) => id === mutant.id)) continue;
    const outcome = await testAlone(alone, mutant, checkout);
    if (outcome.killedBy || outcome.untested) report(outcome);
    else results.add(alone, outcome);
  }
  await testTogether(mutants.filter(isOpen), checkout, report);
  console.log(results.writeTable(name, title, mutants));
  checkout.remove();
}

async function testAlone(name: string, mutant: Mutant, checkout: Checkout): Promise<Outcome> {
  const { id } = mutant;
  const place = locate(mutant, checkout.root);
  if ("reason" in place) return { id, untested: place.reason, seconds: 0 };
  const moved = place.isMoved ? { movedTo: place.file } : {};
  const own = ownTests(packageOf(place.file));
  const limit = AT_LEAST + PATIENCE * (await cleanSeconds(name, checkout, own));
  checkout.write(place.file, place.text);
  const { failures, seconds } = await runTests(checkout, ["related", place.file, ...own, "--bail=1"], limit);
  checkout.clean();
  return { id, ...(failures[0] && { killedBy: failures[0].reason }), ...moved, seconds };
}

/**
 * Returns the time in seconds that tests take without a mutant, which is measured when it is first needed. The tests
 * must pass, because otherwise every mutant would seem to be killed.
 */
async function cleanSeconds(name: string, checkout: Checkout, args: readonly string[]): Promise<number> {
  const key = args.join(" ");
  const known = results.cleanSeconds(name)[key];
  if (known !== undefined) return known;
  const { failures, seconds } = await runTests(checkout, args, ENDLESS);
  checkout.clean();
  if (failures[0]) throw new Error(`tests fail without a mutant: ${failures[0].reason}`);
  console.log(`without a mutant: \`vitest ${key}\` passes in ${seconds} s`);
  results.saveCleanSeconds(name, key, seconds);
  return seconds;
}

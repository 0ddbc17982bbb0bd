/**
 * Asks whether the quick tests notice changes of the code: `pnpm mutants [--count 150] [--seed 1] [--out .mutants]`.
 *
 * Each mutant is one change of a source file. It runs against the quick tests of its package and of the packages that
 * import it, until the first failure: tests that import its file first, then all. It is tested in a checkout of the
 * present commit, beside the working tree. An interrupted run goes on where it was; every outcome is a line in the
 * folder of results. `--base <commit>` then runs the survivors against the code and the tests of another commit.
 */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Checkout, git } from "./checkout.ts";
import { chooseMutants, type Mutant } from "./choose.ts";
import { type Located, locate } from "./locate.ts";
import { changeOf, type Outcome, type Plan, Results } from "./results.ts";
import { importersOf, packageOf, runTests } from "./run-tests.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A run of tests hangs after so many times its normal seconds, and so many more. */
const [PATIENCE, AT_LEAST] = [5, 60];
const ENDLESS = 24 * 3600;

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

// Interrupted, too, the process exits by itself, so that it ends the tests that it has started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

await (values.base === undefined ? testMutants() : testSurvivors(values.base));

async function testMutants(): Promise<void> {
  const known = results.plan();
  const commit = known?.commit ?? git(ROOT, "rev-parse", "HEAD");
  if (git(ROOT, "status", "--porcelain") !== "") console.log("changes that are not committed are not tested");
  const checkout = Checkout.open(ROOT, join(folder, "head"), commit);
  const plan = known ?? makePlan(checkout, commit);
  const done = new Set(results.outcomes("results").map(({ id }) => id));
  console.log(
    `seed ${plan.seed}, commit ${commit.slice(0, 10)}: ${done.size} of ${plan.mutants.length} mutants are done`,
  );
  for (const mutant of plan.mutants) {
    if (done.has(mutant.id)) continue;
    await test("results", mutant, locate(mutant, checkout.root), checkout);
  }
  const title = `Mutants of ${commit.slice(0, 10)}, seed ${plan.seed}`;
  console.log(results.writeTable("results", title, plan.mutants));
  checkout.remove();
}

function makePlan(checkout: Checkout, commit: string): Plan {
  const seed = Number(values.seed);
  const plan = { seed, commit, mutants: chooseMutants(checkout.root, Number(values.count), seed) };
  results.savePlan(plan);
  return plan;
}

/**
 * Seconds that tests take without a mutant, measured when they are needed first. They must pass: or else every mutant
 * would seem to be killed.
 */
async function cleanSeconds(name: string, checkout: Checkout, args: readonly string[]): Promise<number> {
  const key = args.join(" ");
  const known = results.cleanSeconds(name)[key];
  if (known !== undefined) return known;
  const { failure, seconds } = await runTests(checkout, args, ENDLESS);
  checkout.clean();
  if (failure !== undefined) throw new Error(`tests fail without a mutant: ${failure}`);
  console.log(`without a mutant: \`vitest ${key}\` passes in ${seconds} s`);
  results.saveCleanSeconds(name, key, seconds);
  return seconds;
}

async function testSurvivors(base: string): Promise<void> {
  const plan = results.plan();
  if (plan === undefined) throw new Error(`${out} has no results: run without --base first`);
  const survivors = results.outcomes("results").filter(({ killedBy, untested }) => !killedBy && !untested);
  const commit = git(ROOT, "rev-parse", base);
  const name = `base-${commit.slice(0, 10)}`;
  const done = new Set(results.outcomes(name).map(({ id }) => id));
  console.log(`${survivors.length} survivors against ${commit.slice(0, 10)}: ${done.size} are done`);
  const checkout = Checkout.open(ROOT, join(folder, "base"), commit);
  const mutants = plan.mutants.filter(({ id }) => survivors.some((survivor) => survivor.id === id));
  for (const mutant of mutants) {
    if (!done.has(mutant.id)) await test(name, mutant, locate(mutant, checkout.root), checkout);
  }
  console.log(results.writeTable(name, `Survivors against ${commit.slice(0, 10)}`, mutants));
  checkout.remove();
}

async function test(name: string, mutant: Mutant, place: Located, checkout: Checkout): Promise<void> {
  const outcome = await outcomeOf(name, mutant, place, checkout);
  results.add(name, outcome);
  const { killedBy, untested, seconds } = outcome;
  const said = untested ? `not tested: ${untested}` : killedBy ? `killed by ${killedBy}` : "SURVIVED";
  console.log(`#${mutant.id} ${mutant.file}:${mutant.line} ${changeOf(mutant)}\n    ${said} (${seconds} s)`);
}

async function outcomeOf(name: string, { id }: Mutant, place: Located, checkout: Checkout): Promise<Outcome> {
  if ("reason" in place) return { id, untested: place.reason, seconds: 0 };
  const { file, text, isMoved } = place;
  const moved = isMoved ? { movedTo: file } : {};
  const own = ownTests(packageOf(file));
  const importers = importersOf(checkout.root, packageOf(file)).flatMap((importer) => ["--project", importer]);
  const stages = [
    { args: ["related", file, ...own], normal: own },
    { args: [...own, ...importers], normal: [...own, ...importers] },
  ];
  let seconds = 0;
  for (const { args, normal } of stages) {
    const limit = AT_LEAST + PATIENCE * (await cleanSeconds(name, checkout, normal));
    checkout.write(file, text);
    const run = await runTests(checkout, args, limit);
    checkout.clean();
    seconds += run.seconds;
    if (run.failure !== undefined) return { id, killedBy: run.failure, ...moved, seconds };
  }
  return { id, ...moved, seconds };
}

/** Arguments that choose the tests of a package; canonical-json has a second project for its portable build. */
function ownTests(own: string): string[] {
  return ["--project", own, "--project", `${own} (*`];
}

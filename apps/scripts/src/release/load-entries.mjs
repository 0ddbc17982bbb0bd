// Loads entries with `import` and with `require`, in whatever runs this file:
// `load-entries.mjs '{ "entries": [...], "absent": [...] }'`. An entry may fail only because it needs one of the
// `absent` packages.
import { createRequire } from "node:module";

const { entries, absent } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
const NOT_NAMES = new Set(["default", "module.exports", "__esModule"]);
const namesOf = (module) =>
  Object.keys(module)
    .filter((name) => !NOT_NAMES.has(name))
    .sort()
    .join();

function isAbsent({ message }) {
  return absent.some((name) => message.includes(`'${name}'`) || message.includes(`'${name}/`));
}

const isJson = (entry) => entry.endsWith(".json");
const load = {
  import: (entry) => (isJson(entry) ? import(entry, { with: { type: "json" } }) : import(entry)),
  require: async (entry) => require(entry),
};

const without = [];
const problems = [];
for (const entry of entries) {
  const found = [];
  for (const [how, run] of Object.entries(load)) {
    try {
      found.push(await run(entry));
    } catch (error) {
      // An entry that could not be imported cannot be required either.
      if (isAbsent(error) && how === "import") {
        without.push(entry);
        break;
      }
      problems.push(`${how} ${entry}: ${error.stack}`);
    }
  }
  if (found.length < 2 || isJson(entry)) continue;
  const [imported, required] = found.map(namesOf);
  if (imported === "") problems.push(`${entry}: exports nothing`);
  if (imported !== required) problems.push(`${entry}: import has ${imported}, require has ${required}`);
}
console.log(JSON.stringify({ loaded: entries.length, without, problems }));

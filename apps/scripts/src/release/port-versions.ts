// Gives the ports the version of the package that their vectors come from: `node apps/scripts/src/release/port-versions.ts`, behind `changeset version`.
import { readFileSync, writeFileSync } from "node:fs";
import { manifestIn } from "../packed-packages.ts";

/** Where the ports say their version; the version is between what the first group and the end of the line have. */
const PLACES: readonly (readonly [file: string, place: RegExp])[] = [
  ["fixtures/ports/python/pyproject.toml", /^(version = ")[^"]*/m],
  ["fixtures/ports/python/src/agentprint_port/__init__.py", /^(__version__ = ")[^"]*/m],
  ["fixtures/ports/rust/Cargo.toml", /^(version = ")[^"]*/m],
  ["fixtures/ports/rust/Cargo.lock", /^(name = "agentprint"\nversion = ")[^"]*/m],
];

const { version } = manifestIn("fixtures");
for (const [file, place] of PLACES) {
  const text = readFileSync(file, "utf8");
  if (!place.test(text)) throw new Error(`${file}: expected a version`);
  writeFileSync(file, text.replace(place, `$1${version}`));
}

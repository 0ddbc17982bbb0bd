// Gives the ports the version of the package that their vectors come from, and the Claude Code plugin the version of
// the command that it runs: `node apps/scripts/src/release/port-versions.ts`, after `changeset version`.
import { readFileSync, writeFileSync } from "node:fs";
import { manifestIn } from "../packed-packages.ts";

/**
 * A place where a version is written by hand, and the package whose version it follows; the version comes after the
 * first group.
 */
const PLACES: readonly (readonly [file: string, place: RegExp, followed: string])[] = [
  ["fixtures/ports/python/pyproject.toml", /^(version = ")[^"]*/m, "fixtures"],
  ["fixtures/ports/python/src/agentprint_port/__init__.py", /^(__version__ = ")[^"]*/m, "fixtures"],
  ["fixtures/ports/rust/Cargo.toml", /^(version = ")[^"]*/m, "fixtures"],
  ["fixtures/ports/rust/Cargo.lock", /^(name = "agentprint"\nversion = ")[^"]*/m, "fixtures"],
  ["integrations/claude-code/.claude-plugin/plugin.json", /^( {2}"version": ")[^"]*/m, "apps/cli"],
];

for (const [file, place, followed] of PLACES) {
  const text = readFileSync(file, "utf8");
  if (!place.test(text)) throw new Error(`${file}: expected a version`);
  writeFileSync(file, text.replace(place, `$1${manifestIn(followed).version}`));
}

import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./programs.ts";

const README = fileURLToPath(new URL("../../../../packages/guard/README.md", import.meta.url));

/** Writes a text between the marks of a section of the README of `@agentprint/guard`. */
export function writeSection(name: string, text: string): void {
  const readme = readFileSync(README, "utf8");
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [readme.indexOf(start) + start.length, readme.indexOf(end)];
  writeFileSync(README, `${readme.slice(0, from)}\n\n${text}\n\n${readme.slice(to)}`);
  run(dirname(README), ["pnpm", "exec", "biome", "format", "--write", README]);
}

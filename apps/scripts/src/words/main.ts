import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { readTexts, sentencesOf } from "./texts.ts";

const USAGE =
  "usage: node apps/scripts/src/words/main.ts <seed> [count, 60]: sentences to judge as a first reader would";

/** Draws the same number of sentences of each kind; the same seed and texts give the same sentences. */
function draw(seed: string, count: number): string[] {
  const drawn = readTexts()
    .filter(({ kind, file }) => kind !== "message" || !/\/test\//.test(file))
    .flatMap((text) => sentencesOf(text).map((sentence) => ({ ...text, sentence })))
    .map((place) => ({ ...place, order: createHash("sha256").update(`${seed}\n${place.sentence}`).digest("hex") }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .filter(({ sentence }, index, sorted) => sorted[index - 1]?.sentence !== sentence);
  return (["page", "comment", "message"] as const).flatMap((kind) =>
    drawn
      .filter((place) => place.kind === kind)
      .slice(0, count / 3)
      .map(({ file, line, sentence }) => `${file}:${line}\n  ${sentence}`),
  );
}

const [seed, count = "60"] = parseArgs({ allowPositionals: true }).positionals;
if (seed === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else console.log(draw(seed, Number(count)).join("\n"));

/**
 * Checks the complete official number sequence: `pnpm --filter @agentprint/canonical-json number-sequence [lines …]`.
 */
import { checksums, HAS_BIT_PATTERNS } from "../test/number-sequence.ts";

/** The published digests of the sequence, by number of lines. */
const PUBLISHED = new Map([
  [1_000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"],
  [10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"],
  [100_000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"],
  [1_000_000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"],
  [10_000_000, "b9f8a44a91d46813b21b9602e72f112613c91408db0b8341fb94603d9db135e0"],
  [100_000_000, "0f7dda6b0837dde083c5d6b896f7d62340c8a2415b0c7121d83145e08a755272"],
]);

if (!HAS_BIT_PATTERNS) {
  console.error("The sequence was not checked: the file with its first 168 bit patterns is not next to this checkout.");
  process.exit(2);
}

const asked = process.argv.slice(2).map(Number);
const counts = (asked.length > 0 ? asked : [1e7, 1e8]).sort((a, b) => a - b);
const last = counts.at(-1) as number;
const digests = checksums(counts, (line) => {
  if (line % 1_000_000 === 0) process.stderr.write(`\r${line} of ${last} lines`);
});
process.stderr.write("\n");
let wrong = 0;
for (const [lines, digest] of digests) {
  const same = PUBLISHED.get(lines) === digest;
  if (!same) wrong++;
  console.log(`${lines} lines: ${digest} ${same ? "as published" : "DIFFERS from what was published"}`);
}
process.exitCode = wrong === 0 ? 0 : 1;

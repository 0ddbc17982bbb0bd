import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { canonicalize } from "@agentprint/canonical-json";

/** The 168 bit patterns at the beginning of the published sequence. */
const STATIC = new URL("../../../../shared/oracle/hashee/es6-static.data", import.meta.url);

/** The patterns are not part of the project, and without them the sequence cannot be generated. */
export const HAS_BIT_PATTERNS: boolean = existsSync(STATIC);

/**
 * Yields the number sequence by which implementations of RFC 8785 are compared: fixed bit patterns, then 2,000
 * neighbours of the smallest normal double, then doubles from a chain of SHA-256 blocks. Each line is `<hex
 * bits>,<number>\n`.
 */
function* bitPatterns(): Generator<bigint> {
  for (const hex of JSON.parse(readFileSync(STATIC, "utf8")) as string[]) yield BigInt(`0x${hex}`);
  for (let i = 0n; i < 2000n; i++) yield 0x0010_0000_0000_0000n + i;
  for (let block = Buffer.alloc(32); ; ) {
    block = createHash("sha256").update(block).digest();
    for (let at = 0; at < 32; at += 8) {
      const value = block.readDoubleLE(at);
      if (value !== 0 && Number.isFinite(value)) yield block.readBigUInt64LE(at);
    }
  }
}

/**
 * Returns, for each of the ascending counts, the SHA-256 of that many first lines of the sequence as this package
 * writes them.
 */
export function checksums(counts: readonly number[], onLine?: (line: number) => void): Map<number, string> {
  const bits = new BigUint64Array(1);
  const double = new Float64Array(bits.buffer);
  const hash = createHash("sha256");
  const digests = new Map<number, string>();
  let line = 0;
  let pending = "";
  for (const pattern of bitPatterns()) {
    bits[0] = pattern;
    pending += `${pattern.toString(16)},${canonicalize(double[0])}\n`;
    line++;
    const wanted = counts.includes(line);
    if (wanted || line % 10_000 === 0) {
      hash.update(pending);
      pending = "";
      onLine?.(line);
    }
    if (wanted) digests.set(line, hash.copy().digest("hex"));
    if (digests.size === counts.length) break;
  }
  return digests;
}

import { createHash } from "node:crypto";
import { cpus } from "node:os";

export const MACHINE: string = `${cpus()[0]?.model ?? "unknown CPU"}, ${cpus().length} cores, Node ${process.version}, ${process.platform} ${process.arch}`;

/** Processors with SHA instructions hash a gigabyte or more per second, others at most half as much. */
const SHA_INSTRUCTIONS_GB_S = 0.7;

/**
 * Returns this machine's digest rate in gigabytes per second, as the best of several turns, so that other programs do
 * not distort it.
 */
export function digestSpeed(): number {
  const bytes = new Uint8Array(4 * 1024 * 1024);
  const seconds = Array.from({ length: 12 }, () => {
    const start = process.hrtime.bigint();
    createHash("sha256").update(bytes).digest();
    return Number(process.hrtime.bigint() - start) / 1e9;
  });
  return bytes.length / Math.min(...seconds) / 1e9;
}

/**
 * Returns the fraction of a bar below which a gate fails: finding slowdowns is left to the comparison with the build
 * before the change. The bars are ratios measured on processors with SHA instructions. Without these, the digest, which
 * is the same for all contenders, takes several times its share, and older cores also run compiled JavaScript more
 * slowly relative to native code.
 */
export function toleranceAt(digestGbS: number): number {
  return digestGbS >= SHA_INSTRUCTIONS_GB_S ? 0.7 : 0.55;
}

import { readFileSync, writeFileSync } from "node:fs";

/** The results of the last `pnpm --filter lab compare`, which measures installed versions. */
export interface Compared {
  /** The date of the run. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly libraries: readonly LibraryRow[];
  readonly programs: readonly ProgramRow[];
  readonly features: readonly FeatureRow[];
}

/** A library that hashes JSON values. */
export interface LibraryRow {
  readonly name: string;
  readonly version: string;
  /** How many times as fast as the first peer the library hashes a tool definition of 2 KB. */
  readonly speed: number;
  /** Whether the hash is the SHA-256 digest of the canonical text that RFC 8785 requires. */
  readonly isCanonical: boolean;
  readonly gzipKilobytes: number;
  /** The processor time that importing the library takes in addition to starting Node. */
  readonly importMilliseconds: number;
  readonly installed: Installed;
}

/** A command or library that detects a changed server. */
export interface ProgramRow {
  readonly name: string;
  readonly version: string;
  readonly runs: string;
  /** The processor time from start to end, as a multiple of an empty Node process's. */
  readonly start: number;
  readonly installed: Installed;
}

/** A package with all its dependencies. */
export interface Installed {
  readonly packages: number;
  readonly kilobytes: number;
}

/** Whether the help of each command, or its list of rules, mentions a feature. */
export interface FeatureRow {
  readonly feature: string;
  readonly agentprint: boolean;
  readonly mcpPin: boolean;
}

const DATA = new URL("./compare.json", import.meta.url);

export function readCompared(): Compared {
  return JSON.parse(readFileSync(DATA, "utf8")) as Compared;
}

export function writeCompared(compared: Compared): void {
  writeFileSync(DATA, `${JSON.stringify(compared, null, 2)}\n`);
}

import { relative } from "node:path";

/** Packages that touch files, processes or networks: they do not need full coverage. */
const OPEN = [
  "artifacts",
  "client-configs",
  "guard-proxy",
  "mcp-lock",
  "mcp-visit",
  "testing",
  "trail-page",
  "trail-store",
];

/** A pattern for the files whose every line must run in the quick tests. */
export const COVERED_FILES: string = `packages/!(${OPEN.join("|")})/src/**/*.ts`;

/** Returns whether `root`, such as `packages/trail`, is a package whose every line must run. */
export function hasToBeCovered(root: string): boolean {
  return COVERED_FILE.test(`${root}/src/index.ts`);
}

const COVERED_FILE = new RegExp(`^packages/(?!(?:${OPEN.join("|")})/)[^/]+/src/.+\\.ts$`, "u");

/** The members of an Istanbul coverage map that this module reads. */
export interface CoverageMap {
  files(): string[];
  fileCoverageFor(file: string): { getUncoveredLines(): (string | number)[] };
}

/** Returns the lines below `root` that had to run but did not, such as `packages/trail/src/verify.ts:12-14`. */
export function uncoveredPlaces(coverage: CoverageMap, root: string): string[] {
  return coverage
    .files()
    .map((file) => ({ file, path: relative(root, file).replaceAll("\\", "/") }))
    .filter(({ path }) => COVERED_FILE.test(path))
    .flatMap(({ file, path }) => {
      const lines = coverage.fileCoverageFor(file).getUncoveredLines().map(Number);
      return ranges(lines).map((range) => `${path}:${range}`);
    });
}

function ranges(lines: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

/** A test that takes too long for CI. */
export interface LongTest {
  readonly name: string;
  /** The description in the table. */
  readonly about: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The tested folders: the figures are stale once one of them has changed. */
  readonly folders: readonly string[];
}

export const TRAIL: readonly string[] = ["packages/canonical-json/src", "packages/trail/src"];
export const FINGERPRINTS: readonly string[] = [
  "packages/agent-capabilities/src",
  "packages/canonical-json/src",
  "packages/content-hash/src",
  "packages/drover/src",
  "packages/manifest/src",
  "packages/mcp-lock/src",
  "packages/trail/src",
];

import { readFileSync } from "node:fs";
import type { EditLayer } from "./edits/edit.ts";
import type { PeerId } from "./peers/peer.ts";
import type { PresetName } from "./presets.ts";

/** The number of findings at each level. */
export interface Levels {
  readonly error: number;
  readonly warning: number;
  readonly note: number;
}

/** The result of one upgrade. It contains no text from the server. */
export interface UpgradeResult {
  readonly server: string;
  readonly from: string;
  readonly to: string;
  /** The number of tools in the newer version, and of tools that changed, were added or were removed. */
  readonly tools: number;
  readonly changedTools: number;
  /** The number of these tools that no finding names. */
  readonly missedTools: number;
  readonly levels: Readonly<Record<PresetName, Levels>>;
  readonly stops: Readonly<Record<PresetName, boolean>>;
  /** Whether each peer stops, and the number of changed tools that it does not report. */
  readonly peers: Readonly<Record<PeerId, { readonly stops: boolean; readonly missedTools: number }>>;
  /** The milliseconds that agentprint's comparison took. */
  readonly milliseconds: number;
}

/** The results of one recipe's edits. */
export interface EditResult {
  readonly family: string;
  readonly what: string;
  readonly layer: EditLayer;
  readonly placed: number;
  readonly caught: number;
  /** The number of edits that a check (by exit code 1) and a guard stop, for each preset. */
  readonly stopped: Readonly<Record<PresetName, { readonly check: number; readonly guard: number }>>;
  readonly peers: Readonly<Record<PeerId, { readonly caught: number; readonly stopped: number }>>;
}

/** The results of a run of the corpus. */
export interface CorpusResults {
  /** The date of the run. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly seed: number;
  readonly servers: readonly {
    readonly name: string;
    readonly package: string;
    readonly versions: readonly string[];
    /** The mean time in seconds that pinning a version took. */
    readonly seconds: number;
    /** The reason why some of the server's upgrades are missing. */
    readonly note?: string;
  }[];
  /** The peers, each with the time in seconds that all upgrades took. */
  readonly peers: readonly { readonly id: PeerId; readonly label: string; readonly seconds: number }[];
  readonly upgrades: readonly UpgradeResult[];
  readonly edits: readonly EditResult[];
}

/** The seed of the edits in the READMEs. */
export const SEED = 15;

export const RESULTS: URL = new URL("../results.json", import.meta.url);

/** Returns the results of the last run. */
export function readResults(): CorpusResults {
  return JSON.parse(readFileSync(RESULTS, "utf8")) as CorpusResults;
}

/** Returns the results as JSON, with one upgrade or edit per line. */
export function formatResults(results: CorpusResults): string {
  const members = Object.entries(results).map(([name, value]) => {
    const text = Array.isArray(value)
      ? `[\n${value.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`
      : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${members.join(",\n")}\n}\n`;
}

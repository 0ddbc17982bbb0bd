import { compareCodeUnits, isObject, type PathSegment } from "@agentprint/canonical-json";
import { comparePaths, pathIn } from "../changes/order.ts";
import { coded } from "../errors.ts";
import type { PinnedTool } from "../pins/pins.ts";
import { requireOption } from "../require-option.ts";
import { NameIndex } from "../signals/find-names.ts";
import { fingerprintWithWire, type ToolFingerprint } from "../tool/fingerprint-tool.ts";
import type { ListedTool } from "../tool/read-definition.ts";
import { LAYERS } from "../tool/tool-layers.ts";
import { diffTools } from "./diff-tools.ts";
import { findingsOfNewSchemas, findingsOfNewTexts } from "./item-findings.ts";
import { type Judge, UNJUDGED } from "./judge.ts";
import { knownNames } from "./signals-of.ts";
import type { ChangedTool, FingerprintedTool, RenamedTool, ToolDrift } from "./tool-drift.ts";
import { type LayeredFinding, ofContract } from "./tool-findings.ts";
import { placeOfTool, type ToolFinding } from "./tool-place.ts";
import { changeOfLayer, toolFinding } from "./tool-rules.ts";

/**
 * The version of the findings. It changes with the findings' rules, levels and signals, independently of the version of
 * pins.
 */
export const JUDGEMENT = 1;

/** Options of `compareTools`, for its findings. */
export interface JudgementOptions {
  /**
   * Creates the judge of changed contracts for one comparison; pass `judge` of `@agentprint/mcp-lock/judge`. Without
   * it, a changed contract is `mcp/contract-unproven`.
   */
  readonly judge?: (() => Judge) | undefined;
  /** The client's name for the server of these tools, which the tools' texts may mention. */
  readonly server?: string | undefined;
  /** The names of the client's other servers; a changed text that mentions one has a signal. */
  readonly servers?: readonly string[] | undefined;
  /** The names of those servers' tools. */
  readonly otherTools?: readonly string[] | undefined;
}

/** Reads the options once, so that no getter or proxy changes them later. */
export function readOptions(options: JudgementOptions): JudgementOptions {
  return coded("invalid-argument", () => {
    requireOption(isObject(options), "options", "an object", options);
    const { judge, server, servers = [], otherTools = [] } = options;
    requireOption(judge === undefined || typeof judge === "function", "options.judge", "a function", judge);
    requireOption(server === undefined || typeof server === "string", "options.server", "a string", server);
    return {
      judge,
      server,
      servers: readNames("options.servers", servers),
      otherTools: readNames("options.otherTools", otherTools),
    };
  });
}

function readNames(option: string, names: readonly string[]): readonly string[] {
  requireOption(Array.isArray(names), option, "an array", names);
  return Array.from(names, (name, index) => {
    requireOption(typeof name === "string", `${option}[${index}]`, "a string", name);
    return name;
  });
}

const JUDGE = "a function that makes a judge, which answers with lists of changes and findings";

/**
 * Returns the findings on a new listing, sorted by tool, layer and place; findings on all tools come last.
 *
 * @param args - The third argument has the earlier names of the tools that differ from pinned ones only in their name.
 * @throws {@link ToolPinsError} `invalid-argument` for anything that the judge throws, and for a wrong answer.
 */
export function judgeComparison(...args: Parameters<typeof findingsOf>): ToolFinding[] {
  return coded("invalid-argument", () => findingsOf(...args), `options.judge: expected ${JUDGE}`);
}

function findingsOf(
  pinned: ReadonlyMap<string, PinnedTool>,
  now: ReadonlyMap<string, ListedTool>,
  earlier: ReadonlyMap<string, string>,
  { judge = () => UNJUDGED, server, servers = [], otherTools = [] }: JudgementOptions,
): ToolFinding[] {
  const names = [...servers, ...otherTools, ...pinned.keys(), ...now.keys()];
  const known = new NameIndex({ [Symbol.iterator]: () => names.sort().values() });
  const after = new Map([...now].map(([name, tool]) => [name, fingerprinted(tool, pinned.get(name))]));
  const before = new Map(
    [...pinned].flatMap(([name, tool]) => {
      const version = stored(tool, after.get(name));
      return version === undefined ? [] : [[name, version] as const];
    }),
  );
  const judging = judge();
  const drifts = diffTools(before, after, judging, () =>
    [...earlier].map(([name, from]) => ({
      before: before.get(from) as FingerprintedTool,
      after: after.get(name) as FingerprintedTool,
      similarity: 1,
      isEqual: true,
    })),
  );
  const changed = drifts.filter((drift): drift is ChangedTool | RenamedTool => !("kind" in drift));
  const judged = judging.findings(server, changed, known);
  // Any other answer would hide changes.
  const hasAnswered = changed.every(({ changes }) => Array.isArray(changes)) && Array.isArray(judged);
  requireOption(hasAnswered && judged.every(({ finding }) => isObject(finding.place)), "options.judge", JUDGE, judged);
  const findings = [
    ...drifts.flatMap((drift) => findingsOfItem(server, drift, known)),
    ...[...pinned.values()].flatMap((tool) => findingsOfDigests(server, tool, after.get(tool.name))),
    ...judged,
  ];
  const oldNames = new Map(
    changed.map((drift) => [drift.name, "previousName" in drift ? drift.previousName : drift.name]),
  );
  const pathOf = ({ place: { tool = "", pointer = "" }, after: value }: ToolFinding): PathSegment[] => {
    const version = value === undefined ? before.get(oldNames.get(tool) ?? tool) : after.get(tool);
    return pathIn(version?.definition, pointer);
  };
  return findings
    .sort(
      (a, b) =>
        Number(a.finding.place.tool === undefined) - Number(b.finding.place.tool === undefined) ||
        compareCodeUnits(a.finding.place.tool ?? "", b.finding.place.tool ?? "") ||
        LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) ||
        comparePaths(pathOf(a.finding), pathOf(b.finding)),
    )
    .map(({ finding }) => finding);
}

/**
 * Returns a tool of the new listing; for an unchanged tool, the pinned one. The digests of other tools are computed on
 * first use.
 */
function fingerprinted(tool: ListedTool, pinned: PinnedTool | undefined): FingerprintedTool {
  if (pinned?.wire === tool.wire) return { definition: pinned.definition ?? tool.definition, digests: pinned };
  let digests: ToolFingerprint | undefined;
  return {
    get definition() {
      return tool.definition;
    },
    get digests() {
      digests ??= fingerprintWithWire(tool.definition, tool.wire);
      return digests;
    },
  };
}

/**
 * Returns a pinned tool with its definition. If its definition is not stored, returns the new version in its place,
 * because nothing shows how the two differ. Returns `undefined` if the tool is gone.
 */
function stored(tool: PinnedTool, now: FingerprintedTool | undefined): FingerprintedTool | undefined {
  return tool.definition === undefined ? now : { definition: tool.definition, digests: tool };
}

/** Returns the findings on a new tool, or on a removed tool with a known definition. */
function findingsOfItem(server: string | undefined, drift: ToolDrift, known: NameIndex): LayeredFinding[] {
  if ("changes" in drift) return [];
  const place = placeOfTool(server, drift.name);
  if (drift.type === "item-removed")
    return ofContract([{ ...toolFinding("mcp/item-removed", "tool removed"), place, before: drift.before }]);
  return ofContract([
    { ...toolFinding("mcp/item-added", "tool added"), place, after: drift.after },
    ...findingsOfNewSchemas(place, drift.after),
    ...findingsOfNewTexts(place, { words: "tool", ...drift }, knownNames(known, server, drift.name)),
  ]);
}

/** Returns the findings on a tool pinned without its definition. */
function findingsOfDigests(
  server: string | undefined,
  tool: PinnedTool,
  now: FingerprintedTool | undefined,
): LayeredFinding[] {
  if (tool.definition !== undefined) return [];
  const place = placeOfTool(server, tool.name);
  if (now === undefined) return ofContract([{ ...toolFinding("mcp/item-removed", "tool removed"), place }]);
  const note = "Pins without definitions do not say what changed";
  return LAYERS.filter((layer) => now.digests[layer] !== tool[layer]).map((layer) => ({
    layer,
    finding: { ...changeOfLayer(layer), place, note },
  }));
}

import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";
import type { HintEffect } from "./changes/hint-changes.ts";
import { inexactIntegers } from "./changes/inexact-integers.ts";
import { layerChanges } from "./changes/layer-changes.ts";
import { comparePaths, pathIn } from "./changes/order.ts";
import { pairEqual } from "./changes/pair-equal.ts";
import { JUDGEMENT, type JudgementOptions, judgeComparison, readOptions } from "./judgement/judge-comparison.ts";
import type { ToolFinding } from "./judgement/tool-place.ts";
import { checkDigests, checkForm } from "./pins/check-pins.ts";
import type { PinnedTool, ToolPins } from "./pins/pins.ts";
import { readListing, readListingText } from "./pins/read-listing.ts";
import { fingerprintWithWire } from "./tool/fingerprint-tool.ts";
import type { ListedTool } from "./tool/read-definition.ts";
import { LAYERS, type Layer, toolLayers } from "./tool/tool-layers.ts";

/** One difference between pins and a listing. It is a fact, whose meaning does not change within `pinVersion` 1. */
export interface PinChange extends Partial<JsonChange> {
  /** The name of the tool; for a renamed tool, the new name. */
  readonly tool: string;
  /** `renamed`: only the name differs. `changed`: a value differs; with stored definitions, `pointer` names it. */
  readonly change: "added" | "changed" | "removed" | "renamed";
  /** The earlier name of a renamed tool. */
  readonly from?: string;
  /** Of a changed tool. */
  readonly layer?: Layer;
  /** The effects of a change in the layer `hints`. */
  readonly effects?: readonly HintEffect[];
}

/** Whether a listing equals the pinned one, and the differences if not. */
export interface ToolComparison {
  /** Whether the set hashes are equal, which is the case if and only if `changes` is empty. */
  readonly same: boolean;
  /** Sorted by tool, layer and place. */
  readonly changes: readonly PinChange[];
  /**
   * The meaning of the changes, sorted by tool, layer and place. If `judge` and all names are passed, these are the findings of `check`
   * in `@agentprint/mcp-lock`, without its remarks.
   */
  readonly findings: readonly ToolFinding[];
  /** The version of the rules, levels and signals in `findings`. */
  readonly judgement: typeof JUDGEMENT;
  /** The places in the new listing with an integer beyond ±(2^53 − 1); another integer may be the same double. */
  readonly inexact: readonly { readonly tool: string; readonly pointer: string }[];
}

/**
 * Compares a complete listing with pins: text 13, rules P6 to P12.
 *
 * @param pins - The value that {@link pinTools} or {@link parsePins} returned, or a copy that was stored as JSON.
 * @param tools - The array `tools` of a `tools/list` result from all pages, with any content.
 * @throws {@link ToolPinsError} about the pins as {@link parsePins}, then about the listing as {@link pinTools}, then
 * about the stored definitions of changed tools.
 *
 * @example
 * ```ts
 * import { compareTools, pinTools } from "@agentprint/tool-pins";
 *
 * const pins = pinTools([{ name: "move", annotations: { readOnlyHint: true } }], { definitions: true });
 * const [change] = compareTools(pins, [{ name: "move" }]).changes;
 * console.log(JSON.stringify(change)); // {"tool":"move","change":"changed","layer":"hints","pointer":"/annotations/readOnlyHint","before":true,"effects":["more-power"]}
 * ```
 */
export function compareTools(pins: ToolPins, tools: unknown, options: JudgementOptions = {}): ToolComparison {
  const judging = readOptions(options);
  const known = checkForm(pins);
  return compare(known, readListing(tools), judging);
}

/**
 * Compares the JSON text of a listing with pins, as {@link compareTools} does. Reads the text as {@link pinToolsText}
 * does: no member occurs twice, and no rounding hides a difference between two tools with the same name. Pins hold
 * doubles, so integers that a double may have rounded are listed in `inexact`.
 *
 * @throws {@link ToolPinsError} about the pins as {@link parsePins}, about the listing as {@link pinToolsText}.
 *
 * @example
 * ```ts
 * import { compareToolsText, pinToolsText } from "@agentprint/tool-pins";
 *
 * const pins = pinToolsText('[{"name":"move"}]');
 * console.log(compareToolsText(pins, '[{"name":"move"},{"name":"copy"}]').changes); // [ { tool: 'copy', change: 'added' } ]
 * ```
 */
export function compareToolsText(
  pins: ToolPins,
  text: string | Uint8Array,
  options: JudgementOptions = {},
): ToolComparison {
  const judging = readOptions(options);
  const known = checkForm(pins);
  return compare(known, readListingText(text), judging);
}

function compare(
  { tools: pinned }: ToolPins,
  now: ReadonlyMap<string, ListedTool>,
  options: JudgementOptions,
): ToolComparison {
  const isUnchanged = ({ name, wire }: PinnedTool): boolean => now.get(name)?.wire === wire;
  const inexact = inOrder([...now.values()].filter(({ isExact }) => !isExact)).flatMap(({ name, definition }) =>
    inexactIntegers(definition).map((pointer) => ({ tool: name, pointer })),
  );
  // Equal names and `wire` digests mean equal set hashes; `checkForm` has already computed the pins' hash.
  if (pinned.length === now.size && pinned.every(isUnchanged)) {
    return { same: true, findings: [], judgement: JUDGEMENT, changes: [], inexact };
  }
  const checked = pinned.map((tool, index) => (isUnchanged(tool) ? tool : checkDigests(tool, index)));
  const before = new Map(inOrder(checked).map((tool) => [tool.name, tool]));
  const removed = [...before.values()].filter(({ name }) => !now.has(name));
  const added = inOrder([...now.values()].filter(({ name }) => !before.has(name)));
  const equal = pairEqual(
    removed.flatMap(({ name, definition }) => (definition === undefined ? [] : [{ name, definition }])),
    added,
  );
  /** The earlier names of renamed tools. */
  const earlier = new Map(equal.map(([from, to]) => [to.name, from.name]));
  const gone = new Set(earlier.values());
  const changes = [
    ...added.map(({ name }): PinChange => {
      const from = earlier.get(name);
      return from === undefined ? { tool: name, change: "added" } : { tool: name, change: "renamed", from };
    }),
    ...removed.flatMap(({ name }): PinChange[] => (gone.has(name) ? [] : [{ tool: name, change: "removed" }])),
    ...[...before.values()].flatMap((tool) => changesOf(tool, now.get(tool.name))),
  ];
  return {
    same: false,
    findings: judgeComparison(before, now, earlier, options),
    judgement: JUDGEMENT,
    changes: changes.sort((a, b) => compareCodeUnits(a.tool, b.tool)),
    inexact,
  };
}

function inOrder<T extends { readonly name: string }>(tools: readonly T[]): T[] {
  return tools.toSorted((a, b) => compareCodeUnits(a.name, b.name));
}

function changesOf(before: PinnedTool, after: ListedTool | undefined): PinChange[] {
  if (after === undefined || after.wire === before.wire) return [];
  const tool = before.name;
  if (before.definition === undefined) {
    const digests = fingerprintWithWire(after.definition, after.wire);
    const layers = LAYERS.filter((layer) => digests[layer] !== before[layer]);
    return layers.map((layer) => ({ tool, change: "changed", layer }));
  }
  const definitions = [before.definition, after.definition] as const;
  const [old, now] = [toolLayers(definitions[0]), toolLayers(definitions[1])];
  return LAYERS.flatMap((layer) =>
    layerChanges(layer, old[layer], now[layer])
      .map((change) => [pathIn(definitions[change.after === undefined ? 0 : 1], change.pointer), change] as const)
      .sort(([a], [b]) => comparePaths(a, b))
      .map(([, change]): PinChange => ({ tool, change: "changed", layer, ...change })),
  );
}

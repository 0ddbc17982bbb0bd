import { canonicalize, compareCodeUnits, type JsonChange, type JsonObject } from "@agentprint/canonical-json";
import type { HintEffect } from "./changes/hint-changes.ts";
import { inexactIntegers } from "./changes/inexact-integers.ts";
import { layerChanges } from "./changes/layer-changes.ts";
import { comparePaths, pathIn } from "./changes/order.ts";
import { checkOptions, JUDGEMENT, type JudgementOptions, judgeComparison } from "./judgement/judge-comparison.ts";
import type { ToolFinding } from "./judgement/tool-place.ts";
import { checkDigests, checkForm } from "./pins/check-pins.ts";
import { type PinnedTool, pinsDigest, type ToolPins } from "./pins/pins.ts";
import { readListing, readListingText } from "./pins/read-listing.ts";
import { fingerprintWithWire } from "./tool/fingerprint-tool.ts";
import type { ListedTool } from "./tool/read-definition.ts";
import { LAYERS, type Layer, toolLayers } from "./tool/tool-layers.ts";

/** One difference between pins and a listing: a fact, whose meaning does not change within `pinVersion` 1. */
export interface PinChange extends Partial<JsonChange> {
  /** The name of the tool; of a renamed one, the new name. */
  readonly tool: string;
  /** `renamed`: all but the name is equal. `changed`: a value differs; with stored definitions, `pointer` says which. */
  readonly change: "added" | "changed" | "removed" | "renamed";
  /** The name before, of a renamed tool. */
  readonly from?: string;
  /** Of a changed tool. */
  readonly layer?: Layer;
  /** Of a changed place in the layer `hints`. */
  readonly effects?: readonly HintEffect[];
}

/** Whether a listing is the pinned one, and how it differs. */
export interface ToolComparison {
  /** Whether the set hashes are equal: if and only if `changes` is empty. */
  readonly same: boolean;
  /** By tool, layer and place. */
  readonly changes: readonly PinChange[];
  /**
   * What the changes mean, by tool, layer and place: those of `check` of `@agentprint/mcp-lock` on the same tools, remarks aside, where `judge`
   * and all names are given.
   */
  readonly findings: readonly ToolFinding[];
  /** The version of the rules, levels and signals of `findings`. */
  readonly judgement: typeof JUDGEMENT;
  /** The places of the new listing with an integer beyond ±(2^53 − 1): another one may be the same double. */
  readonly inexact: readonly { readonly tool: string; readonly pointer: string }[];
}

/**
 * Compares a complete listing with pins: text 13, rules P6 to P12.
 *
 * @param pins - What {@link pinTools} or {@link parsePins} returned, or this value as JSON kept it.
 * @param tools - The array `tools` of a `tools/list` result, of all its pages, whatever is in it.
 * @throws {@link ToolPinsError} about the pins as {@link parsePins}, then about the listing as {@link pinTools}, then about the stored
 * definitions of what changed.
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
  checkOptions(options);
  const known = checkForm(pins);
  return compare(known, readListing(tools), options);
}

/**
 * The same for the JSON text of the listing, read strictly: no member stands twice, and no rounding hides a difference.
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
  checkOptions(options);
  const known = checkForm(pins);
  return compare(known, readListingText(text), options);
}

function compare(
  { digest, tools: pinned }: ToolPins,
  now: ReadonlyMap<string, ListedTool>,
  options: JudgementOptions,
): ToolComparison {
  const checked = pinned.map((tool, index) =>
    now.get(tool.name)?.wire === tool.wire ? tool : checkDigests(tool, index),
  );
  const before = new Map(inOrder(checked).map((tool) => [tool.name, tool]));
  const removed = [...before.values()].filter(({ name }) => !now.has(name));
  const added = inOrder([...now.values()].filter(({ name }) => !before.has(name)));
  const changed = [...before.values()].flatMap((tool) => {
    const after = now.get(tool.name);
    return after === undefined || after.wire === tool.wire ? [] : changesOf(tool, after);
  });
  const same = pinsDigest([...now.values()]) === digest;
  return {
    same,
    findings: same ? [] : judgeComparison(before, now, options),
    judgement: JUDGEMENT,
    changes: [...nameChanges(removed, added), ...changed].sort((a, b) => compareCodeUnits(a.tool, b.tool)),
    inexact: inOrder([...now.values()].filter(({ isExact }) => !isExact)).flatMap(({ name, definition }) =>
      inexactIntegers(definition).map((pointer) => ({ tool: name, pointer })),
    ),
  };
}

function inOrder<T extends { readonly name: string }>(tools: readonly T[]): T[] {
  return tools.toSorted((a, b) => compareCodeUnits(a.name, b.name));
}

function nameChanges(removed: readonly PinnedTool[], added: readonly ListedTool[]): PinChange[] {
  const olds = new Map<string, string[]>();
  for (const { name, definition } of removed.toReversed()) {
    if (definition === undefined) continue;
    const text = withoutName(definition);
    const names = olds.get(text);
    if (names === undefined) olds.set(text, [name]);
    else names.push(name);
  }
  const renamed = new Set<string>();
  const now = added.map(({ name, definition }): PinChange => {
    const from = olds.size > 0 ? olds.get(withoutName(definition))?.pop() : undefined;
    if (from === undefined) return { tool: name, change: "added" };
    renamed.add(from);
    return { tool: name, change: "renamed", from };
  });
  const gone = removed.filter(({ name }) => !renamed.has(name));
  return [...now, ...gone.map(({ name }): PinChange => ({ tool: name, change: "removed" }))];
}

function withoutName({ name: _, ...rest }: JsonObject): string {
  return canonicalize(rest);
}

function changesOf(before: PinnedTool, after: ListedTool): PinChange[] {
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

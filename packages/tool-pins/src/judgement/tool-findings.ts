import type { Place } from "@agentprint/findings";
import type { NameIndex } from "../signals/find-names.ts";
import { isGeneratedTitle } from "../signals/generated-title.ts";
import type { Layer } from "../tool/tool-layers.ts";
import { findingsOfFaults } from "./fault-findings.ts";
import { keywordAt } from "./keyword-at.ts";
import type { SchemaText } from "./schema-texts.ts";
import { type KnownNames, knownNames, signalNote, signalsOf } from "./signals-of.ts";
import type { ChangedTool, CommonHash, RenamedTool, ToolChange } from "./tool-drift.ts";
import { located, placeOfTool, type ToolFinding } from "./tool-place.ts";
import { changeOfHint, changeOfLayer, type ToolFindingKind, toolFinding } from "./tool-rules.ts";

/** A finding on a tool, and the layer that the finding is about. */
export interface LayeredFinding {
  readonly layer: Layer;
  readonly finding: ToolFinding;
}

/** The rules of the findings on a changed contract, and the sentences that prove them. */
export interface ContractReading {
  readonly kinds: readonly ToolFindingKind[];
  readonly proof: readonly string[];
}

/**
 * Returns the findings for a tool that changed or was probably renamed.
 *
 * @param server The name of the tool's server, if it is known
 * @param known The names of tools and servers
 * @param readContract Returns what a change of the contract means; called for each change, in order
 */
export function findingsOfTool(
  server: string | undefined,
  drift: ChangedTool | RenamedTool,
  known: NameIndex,
  readContract: (change: ToolChange) => ContractReading,
): LayeredFinding[] {
  const place = placeOfTool(server, drift.name);
  const { changes, schemas = [], newTexts = [] } = drift;
  const isRename = drift.type === "tool-renamed";
  const missed = isRename ? [] : missedNote(drift.missedBy);
  const names = knownNames(known, server, drift.name, ...(isRename ? [drift.previousName] : []));
  const newPlaces = new Set(changes.flatMap((change) => (isNewContract(change) ? [change.pointer] : [])));
  const ofChanges = changes
    .filter(({ pointer }) => !isRename || pointer !== "/name")
    .flatMap((change): LayeredFinding[] => {
      // All text of a new parameter is new, and the finding about the parameter shows all of it.
      const isNew = change.isNewPlace === true && placeAbove(change.pointer, newPlaces) !== undefined;
      const words = !isNew && !isGenerated(change, drift.name);
      const signals = change.layer === "prose" ? signalsOf(change, names, words) : [];
      const { kinds, proof } =
        change.layer === "contract" ? readContract(change) : { kinds: kindsOf(change, signals.length > 0), proof: [] };
      const note = [...proof, ...signalNote(signals), ...missed].join(". ");
      const { afterWithProse = change.after, ...values } = change;
      const where = located(place, { ...values, ...(afterWithProse !== undefined && { after: afterWithProse }) });
      return kinds.map((kind) => ({ layer: change.layer, finding: { ...kind, ...where, ...(note && { note }) } }));
    });
  return [
    ...ofContract(isRename ? [findingOfName(place, drift)] : []),
    ...ofContract(findingsOfFaults(place, changes, schemas)),
    ...ofChanges,
    ...ofContract(newTexts.flatMap((text) => findingsOfText(text, place, names))),
  ];
}

/**
 * Returns whether a library made a title from the name of the tool or parameter that the title describes, so that its
 * words are not new.
 */
function isGenerated({ pointer, after }: ToolChange, tool: string): boolean {
  if (typeof after !== "string") return false;
  const place = pointer === "/title" ? { keyword: "title", isOfTool: true } : keywordAt(pointer);
  if (place?.keyword !== "title") return false;
  const name = place.isOfTool ? tool : place.parameter;
  return name !== undefined && isGeneratedTitle(after, name);
}

/** Returns findings with the layer `contract`. */
export function ofContract(findings: readonly ToolFinding[]): LayeredFinding[] {
  return findings.map((finding) => ({ layer: "contract", finding }));
}

/**
 * Returns the finding for a new text in the contract that has a signal, in addition to the finding on the contract
 * itself.
 */
function findingsOfText({ pointer, text }: SchemaText, place: Place, names: KnownNames): ToolFinding[] {
  const isSentence = text.split(/\s{1,9999}/, MIN_WORDS_OF_SENTENCE).length === MIN_WORDS_OF_SENTENCE;
  const signals = signalsOf({ pointer, after: text }, names, isSentence);
  if (signals.length === 0) return [];
  const [note] = signalNote(signals);
  return [
    {
      ...toolFinding("mcp/prose-signal", "text in the contract has signals"),
      ...located(place, { pointer, after: text }),
      ...(note && { note }),
    },
  ];
}

/**
 * The minimum number of words with which a text in the contract counts as prose; a new value such as `created_at` does
 * not.
 */
const MIN_WORDS_OF_SENTENCE = 4;

function isNewContract({ layer, before }: ToolChange): boolean {
  return layer === "contract" && before === undefined;
}

/** Returns the nearest of the places that is, or contains, the place of a pointer. */
export function placeAbove(pointer: string, places: ReadonlySet<string>): string | undefined {
  if (places.size === 0) return undefined;
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const above = pointer.slice(0, end);
    if (places.has(above)) return above;
  }
  return undefined;
}

function findingOfName(place: Place, { name, previousName, similarity, isDeclared }: RenamedTool): ToolFinding {
  const likely = similarity === 1 ? "all else is the same" : `${Math.round(similarity * 100)} % alike`;
  const renamed = isDeclared ? `renamed from ${previousName}, as declared` : `likely renamed from ${previousName}`;
  return {
    ...toolFinding("mcp/tool-renamed", `${renamed}, ${likely}`),
    ...located(place, { pointer: "/name", before: previousName, after: name }),
  };
}

function kindsOf({ layer, effects = ["other"] }: ToolChange, hasSignals: boolean): ToolFindingKind[] {
  if (layer === "hints") return effects.map(changeOfHint);
  return [hasSignals ? toolFinding("mcp/prose-signal", "prose changed, with signals") : changeOfLayer(layer)];
}

function missedNote(missedBy: readonly CommonHash[]): string[] {
  const widest = missedBy.at(-1);
  if (widest === undefined) return [];
  const members = widest.replaceAll("+", ", ").replace(/, (\w+)$/, " and $1");
  return [`A hash of ${members} would not detect this change`];
}

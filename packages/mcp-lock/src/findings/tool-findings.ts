import { canonicalize, printable } from "@agentprint/canonical-json";
import type { Place } from "@agentprint/findings";
import type { HintEffect } from "@agentprint/tool-pins";
import type { CommonHash, Drift, ToolChange } from "../drift/drift.ts";
import type { OpeningKind } from "../drift/find-openings.ts";
import { isOtherOrder } from "../drift/join-lists.ts";
import { keywordAt } from "../drift/keyword-at.ts";
import type { SchemaText } from "../drift/schema-texts.ts";
import type { BareVerdict, BreakCause, EditEffect, SchemaVerdict } from "../drift/schema-verdict.ts";
import type { NameIndex } from "../signals/find-names.ts";
import { isGeneratedTitle } from "../signals/generated-title.ts";
import { byRule, type DriftFindingKind } from "./by-rule.ts";
import { faultsOf, findingsOfFaults } from "./fault-findings.ts";
import { type DriftFinding, located, placeOfItem } from "./finding.ts";
import { IN_WHAT_A_CALL_DOES } from "./leaves-calls-valid.ts";
import { isBelow, openingsAt } from "./openings-at.ts";
import { type KnownNames, signalNote, signalsOf } from "./signals-of.ts";

type ToolDrift = Extract<Drift, { type: "tool-changed" | "tool-renamed" }>;

/** The findings for a tool that changed or was likely renamed; `known` are the names of tools and servers. */
export function findingsOfTool(server: string, drift: ToolDrift, known: NameIndex): DriftFinding[] {
  const place = placeOfItem(server, "tool", drift.name);
  const { changes, schemas = [], newTexts = [] } = drift;
  const isRename = drift.type === "tool-renamed";
  const verdicts = new Map(schemas.map((verdict) => [verdict.schema as string, verdict]));
  const unreported = new Set<object>(
    schemas.flatMap((verdict) => [verdict, verdict.rest ?? verdict, (verdict.rest ?? verdict).unjudged ?? []]),
  );
  const missed = isRename ? [] : missedNote(drift.missedBy);
  const own = new Set([server, drift.name, ...(isRename ? [drift.previousName] : [])]);
  const names: KnownNames = { all: known, own };
  const openings = openingsAt(changes, schemas);
  const newPlaces = new Set(changes.flatMap((change) => (isNewContract(change) ? [change.pointer] : [])));
  const faulty = new Set(faultsOf(schemas).map(({ pointer }) => pointer));
  const findings = changes
    .filter(({ pointer }) => !isRename || pointer !== "/name")
    .flatMap((change): DriftFinding[] => {
      const verdict = change.layer === "contract" ? verdicts.get(change.pointer.split("/")[1] ?? "") : undefined;
      const cause = verdict?.causes?.find(({ pointers }) => pointers.includes(change.pointer));
      const isHarmless = isOtherOrder(change) && verdict?.verdict !== "compatible";
      const proof = isHarmless ? [] : proofOfChange(change, verdict, cause, unreported);
      // A text that came with its parameter had no words before: the finding about the parameter shows it whole.
      const isNew = change.isNewPlace === true && isBelow(change.pointer, newPlaces);
      const words = !isNew && !isGenerated(change, drift.name);
      const signals = change.layer === "prose" ? signalsOf(change, names, words) : [];
      const note = [...proof, ...signalNote(signals), ...missed].join(". ");
      const { afterWithProse = change.after, ...values } = change;
      const where = located(place, { ...values, ...(afterWithProse !== undefined && { after: afterWithProse }) });
      return kindsOf(change, verdict, cause, openings.get(change.pointer), signals.length > 0)
        .filter(({ rule }) => rule !== "mcp/schema-compatible" || !faulty.has(change.pointer))
        .map((kind) => ({ ...kind, ...where, ...(note && { note }) }));
    });
  const ofTexts = newTexts.flatMap((text) => findingsOfText(text, place, names));
  const ofFaults = findingsOfFaults(place, changes, schemas);
  return [...(isRename ? [findingOfName(server, drift)] : []), ...ofFaults, ...findings, ...ofTexts];
}

const OTHER_ORDER = byRule("mcp/schema-compatible", "required members in another order, which changes nothing", "note");

/** Whether a library made a title from the name of the tool or of the parameter whose title it is: its words are no new ones. */
function isGenerated({ pointer, after }: ToolChange, tool: string): boolean {
  if (typeof after !== "string") return false;
  const place = pointer === "/title" ? { keyword: "title", isOfTool: true } : keywordAt(pointer);
  if (place?.keyword !== "title") return false;
  const name = place.isOfTool ? tool : place.parameter;
  return name !== undefined && isGeneratedTitle(after, name);
}

/** The finding for a new text in the contract that has a signal. The layer stays: the contract has a finding of its own. */
function findingsOfText({ pointer, text }: SchemaText, place: Place, names: KnownNames): DriftFinding[] {
  const isSentence = text.split(/\s+/, MIN_WORDS_OF_SENTENCE).length === MIN_WORDS_OF_SENTENCE;
  const signals = signalsOf({ pointer, after: text }, names, isSentence);
  if (signals.length === 0) return [];
  const [note] = signalNote(signals);
  return [
    {
      ...byRule("mcp/prose-signal", "text in the contract has signals"),
      ...located(place, { pointer, after: text }),
      ...(note && { note }),
    },
  ];
}

/** The number of words from which a text in the contract counts as prose; a new value such as `created_at` does not. */
const MIN_WORDS_OF_SENTENCE = 4;

function isNewContract({ layer, before }: ToolChange): boolean {
  return layer === "contract" && before === undefined;
}

function findingOfName(
  server: string,
  { name, previousName, similarity, isDeclared }: Extract<Drift, { type: "tool-renamed" }>,
): DriftFinding {
  const likely = similarity === 1 ? "all else is the same" : `${Math.round(similarity * 100)} % alike`;
  const renamed = isDeclared ? `renamed from ${previousName}, as declared` : `likely renamed from ${previousName}`;
  return {
    ...byRule("mcp/tool-renamed", `${renamed}, ${likely}`),
    ...located(placeOfItem(server, "tool", name), { pointer: "/name", before: previousName, after: name }),
  };
}

function kindsOf(
  change: ToolChange,
  verdict: SchemaVerdict | undefined,
  cause: BreakCause | undefined,
  openings: ReadonlySet<OpeningKind> = new Set(),
  hasSignals = false,
): DriftFindingKind[] {
  const { layer, effects = ["other"] } = change;
  switch (layer) {
    case "contract":
      return kindsOfContract(
        isOtherOrder(change) ? OTHER_ORDER : kindOfContract(change, verdict, cause, openings.size > 0),
        openings,
      );
    case "prose":
      return [
        hasSignals
          ? byRule("mcp/prose-signal", "prose changed, with signals")
          : byRule("mcp/tool-prose-changed", "prose changed"),
      ];
    case "hints":
      return effects.map(kindOfHint);
    case "rest":
      return [byRule("mcp/tool-rest-changed", "other member changed")];
  }
}

/** The rule of an opening says more than that the input is wider, and nothing of whether callers break. */
function kindsOfContract(ofVerdict: DriftFindingKind, openings: ReadonlySet<OpeningKind>): DriftFindingKind[] {
  const kinds = [...openings].map(kindOfOpening);
  return ofVerdict.rule === "mcp/input-widened" && kinds.length > 0 ? kinds : [ofVerdict, ...kinds];
}

function kindOfOpening(kind: OpeningKind): DriftFindingKind {
  switch (kind) {
    case "free-text":
      return byRule("mcp/free-text-added", "input takes free text that it did not take before");
    case "anything":
      return byRule("mcp/anything-added", "input takes anything where it did not before");
    case "more-values":
      return byRule("mcp/values-widened", "input lets more values through than before");
    case "unproven-values":
      return byRule(
        "mcp/values-widened",
        "values that the input lets through could not be compared with those of before",
      );
  }
}

/** The kind of a change of the contract: of a cause, of what it does alone, of what else changed beside the causes, or of a whole schema. */
function kindOfContract(
  { pointer }: ToolChange,
  verdict: SchemaVerdict | undefined,
  cause: BreakCause | undefined,
  isOpening: boolean,
): DriftFindingKind {
  if (cause !== undefined) return byRule("mcp/tool-contract-changed", "contract changed, callers break");
  const [whole, changed] = verdict?.rest === undefined ? [verdict, CHANGED] : [verdict.rest, ALSO];
  const effect = effectAt(verdict, pointer);
  const isNamed = effect !== undefined && (effect.isWider || effect.unjudged !== undefined || !isOpening);
  const judged: BareVerdict | undefined = isNamed ? { verdict: "compatible", ...effect } : whole;
  const kind = kindOfSchema(judged, changed);
  if (verdict?.fault === undefined || kind.rule !== "mcp/schema-compatible") return kind;
  return byRule("mcp/schema-compatible", `${changed}, the same values fit`);
}

const [CHANGED, ALSO] = ["contract changed", "also changed"];

function kindOfSchema(verdict: BareVerdict | undefined, changed: string): DriftFindingKind {
  if (verdict?.unjudged && (verdict.isWider || verdict.verdict === "compatible"))
    return byRule("mcp/contract-unproven", `${changed} ${IN_WHAT_A_CALL_DOES}`);
  if (verdict?.isWider)
    return byRule("mcp/input-widened", `${changed === ALSO ? `${ALSO}, ` : ""}input takes more than before`);
  switch (verdict?.verdict) {
    case "compatible":
      return byRule("mcp/schema-compatible", `${changed}, callers can go on`);
    case "breaking":
      return byRule("mcp/tool-contract-changed", `${changed}, callers break by this or another change`);
    default:
      return byRule("mcp/contract-unproven", `${changed}, nothing is proven`);
  }
}

function kindOfHint(effect: HintEffect): DriftFindingKind {
  switch (effect) {
    case "more-power":
      return byRule("mcp/hint-more-power", "hint changed towards more power");
    case "less-asking":
      return byRule("mcp/hint-less-asking", "hint changed towards less asking");
    case "default-written":
      return byRule("mcp/hint-default-written", "hint changed that says nothing");
    case "other":
      return byRule("mcp/tool-hints-changed", "annotation changed");
  }
}

function missedNote(missedBy: readonly CommonHash[]): string[] {
  const widest = missedBy.at(-1);
  if (widest === undefined) return [];
  const members = widest.replaceAll("+", ", ").replace(/, (\w+)$/, " and $1");
  return [`A hash of ${members} would not detect this change`];
}

/**
 * The sentences of a change about its schema: the proof of its cause, or what the first other change of the schema says of all of them.
 *
 * @param unreported The verdicts, and the lists of their keywords, whose sentences no change carries yet.
 */
function proofOfChange(
  { pointer }: ToolChange,
  verdict: SchemaVerdict | undefined,
  cause: BreakCause | undefined,
  unreported: Set<object>,
): string[] {
  if (verdict === undefined) return [];
  const { rest } = verdict;
  if (cause === undefined) {
    const { unjudged } = rest ?? verdict;
    const isFirst = unreported.delete(rest ?? verdict);
    const effect = effectAt(verdict, pointer);
    const isOfKeywords = unjudged !== undefined && (effect === undefined || effect.unjudged !== undefined);
    return [
      ...(isFirst && !rest ? proofOfValues(verdict) : []),
      ...(isOfKeywords && unreported.delete(unjudged) ? proofOfUnjudged(unjudged) : []),
    ];
  }
  const isFirst = unreported.delete(verdict);
  const others = cause.pointers.filter((each) => each !== pointer).map((each) => printable(each));
  const { counterexample = isFirst ? verdict.counterexample : undefined } = cause;
  return [
    ...(others.length > 0 ? [`Only together with the change at ${others.join(", ")}`] : []),
    ...(counterexample === undefined ? [] : proofOfValues({ ...verdict, counterexample })),
  ];
}

function effectAt({ effects = [] }: Pick<SchemaVerdict, "effects"> = {}, pointer: string): EditEffect | undefined {
  return effects.find((effect) => effect.pointer === pointer);
}

function proofOfUnjudged(unjudged: readonly string[]): string[] {
  const shown = unjudged.slice(0, MAX_KEYWORDS).map((keyword) => printable(keyword, MAX_KEYWORD_LENGTH));
  const more = unjudged.length - shown.length;
  const keywords = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return [`Whether calls still do the same could not be determined: ${keywords} changed`];
}

/** Keywords that a note names, and characters of each: an unknown keyword is text of the server. */
const [MAX_KEYWORDS, MAX_KEYWORD_LENGTH] = [8, 40];

/** No call is called valid of a tool that clients refuse. */
function proofOfValues({ schema, verdict, counterexample, isWider, fault }: SchemaVerdict): string[] {
  const isInput = schema === "inputSchema";
  if (fault && verdict === "compatible") return [];
  if (verdict === "compatible")
    return [`Compatible: every ${isInput ? "call that was valid still is" : "result fits the schema of before"}`];
  if (verdict === "unknown")
    return [`Whether ${isInput ? "calls stay valid" : "results fit the schema of before"} could not be determined`];
  const value = canonicalize(counterexample);
  if (!isInput) return [`Breaking: result ${value} was not possible before`];
  return isWider && !fault
    ? [
        `Compatible for callers that sent only parameters of the schema: arguments ${value} were valid and are rejected now`,
      ]
    : [`Breaking: arguments ${value} were valid and are rejected now`];
}

import { canonicalize, printable } from "@agentprint/canonical-json";
import {
  type BareVerdict,
  type BreakCause,
  type ChangedTool,
  type ContractReading,
  type EditEffect,
  faultsOf,
  type OpeningKind,
  type RenamedTool,
  type SchemaVerdict,
  type ToolChange,
  type ToolFindingKind,
  toolFinding,
} from "@agentprint/tool-pins/judgement";
import { isOtherOrder } from "../drift/join-lists.ts";
import { IN_WHAT_A_CALL_DOES } from "./leaves-calls-valid.ts";
import { openingsAt } from "./openings-at.ts";

/** Returns a function that reads the changes to a tool's contract, in order, using the verdicts on its schemas. */
export function contractReader({
  changes,
  schemas = [],
}: ChangedTool | RenamedTool): (change: ToolChange) => ContractReading {
  const verdicts = new Map(schemas.map((verdict) => [verdict.schema as string, verdict]));
  const unreported = new Set<object>(
    schemas.flatMap((verdict) => [verdict, verdict.rest ?? verdict, (verdict.rest ?? verdict).unjudged ?? []]),
  );
  const openings = openingsAt(changes, schemas);
  const faulty = new Set(faultsOf(schemas).map(({ pointer }) => pointer));
  return (change) => {
    const verdict = verdicts.get(change.pointer.split("/")[1] ?? "");
    const cause = verdict?.causes?.find(({ pointers }) => pointers.includes(change.pointer));
    const isOrder = isOtherOrder(change);
    const proof = isOrder && verdict?.verdict !== "compatible" ? [] : proofOfChange(change, verdict, cause, unreported);
    const opened = openings.get(change.pointer) ?? new Set();
    const kinds = kindsOfContract(
      isOrder ? OTHER_ORDER : kindOfContract(change, verdict, cause, opened.size > 0),
      opened,
    );
    const isSaid = ({ rule }: ToolFindingKind) => rule !== "mcp/schema-compatible" || !faulty.has(change.pointer);
    return { kinds: kinds.filter(isSaid), proof };
  };
}

const OTHER_ORDER = toolFinding(
  "mcp/schema-compatible",
  "required members in another order, which changes nothing",
  "note",
);

/**
 * Returns the kinds of a contract finding. The rule of an opening replaces `mcp/input-widened`, because it says more,
 * but it replaces no rule about callers that break.
 */
function kindsOfContract(ofVerdict: ToolFindingKind, openings: ReadonlySet<OpeningKind>): ToolFindingKind[] {
  const kinds = [...openings].map(kindOfOpening);
  return ofVerdict.rule === "mcp/input-widened" && kinds.length > 0 ? kinds : [ofVerdict, ...kinds];
}

function kindOfOpening(kind: OpeningKind): ToolFindingKind {
  switch (kind) {
    case "free-text":
      return toolFinding("mcp/free-text-added", "input accepts free text that it did not accept before");
    case "anything":
      return toolFinding("mcp/anything-added", "input accepts anything where it did not before");
    case "more-values":
      return toolFinding("mcp/values-widened", "input accepts more values than before");
    case "unproven-values":
      return toolFinding(
        "mcp/values-widened",
        "values that the input accepts could not be compared with the earlier ones",
      );
  }
}

/**
 * Returns the kind of a contract change, which depends on whether it is a cause, on its own effect, or else on the
 * verdict on the schema (without the causes, if there are any).
 */
function kindOfContract(
  { pointer }: ToolChange,
  verdict: SchemaVerdict | undefined,
  cause: BreakCause | undefined,
  isOpening: boolean,
): ToolFindingKind {
  if (cause !== undefined) return toolFinding("mcp/tool-contract-changed", "contract changed, callers break");
  const [whole, changed] = verdict?.rest === undefined ? [verdict, CHANGED] : [verdict.rest, ALSO];
  const effect = effectAt(verdict, pointer);
  const isNamed = effect !== undefined && (effect.isWider || effect.unjudged !== undefined || !isOpening);
  const judged: BareVerdict | undefined = isNamed ? { verdict: "compatible", ...effect } : whole;
  const kind = kindOfSchema(judged, changed);
  if (verdict?.fault === undefined || kind.rule !== "mcp/schema-compatible") return kind;
  return toolFinding("mcp/schema-compatible", `${changed}, the same values are valid`);
}

const [CHANGED, ALSO] = ["contract changed", "also changed"];

function kindOfSchema(verdict: BareVerdict | undefined, changed: string): ToolFindingKind {
  if (verdict?.unjudged && (verdict.isWider || verdict.verdict === "compatible"))
    return toolFinding("mcp/contract-unproven", `${changed} ${IN_WHAT_A_CALL_DOES}`);
  if (verdict?.isWider)
    return toolFinding("mcp/input-widened", `${changed === ALSO ? `${ALSO}, ` : ""}input accepts more than before`);
  switch (verdict?.verdict) {
    case "compatible":
      return toolFinding("mcp/schema-compatible", `${changed}, callers can continue`);
    case "breaking":
      return toolFinding("mcp/tool-contract-changed", `${changed}, callers break because of this or another change`);
    default:
      return toolFinding("mcp/contract-unproven", `${changed}, nothing is proven`);
  }
}

/**
 * Returns a change's sentences about its schema: if the change is a cause, the proof; if it is the schema's first other
 * change, the sentence that describes all other changes.
 *
 * @param unreported The verdicts and their lists of keywords whose sentences are not part of any change yet.
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

/**
 * The maximum number of keywords that a note names, and the maximum length of each name, because an unknown keyword is
 * text from the server.
 */
const [MAX_KEYWORDS, MAX_KEYWORD_LENGTH] = [8, 40];

/**
 * Returns the sentence about a verdict, with its proof. If clients refuse the tool, the finding does not state that
 * calls to it are valid.
 */
function proofOfValues({ schema, verdict, counterexample, isWider, fault }: SchemaVerdict): string[] {
  const isInput = schema === "inputSchema";
  if (fault && verdict === "compatible") return [];
  if (verdict === "compatible")
    return [`Compatible: every ${isInput ? "call that was valid still is" : "result fits the earlier schema"}`];
  if (verdict === "unknown")
    return [`Whether ${isInput ? "calls stay valid" : "results fit the earlier schema"} could not be determined`];
  const value = canonicalize(counterexample);
  if (!isInput) return [`Breaking: result ${value} was not possible before`];
  return isWider && !fault
    ? [`Compatible for callers that sent only declared parameters: arguments ${value} were valid and are now rejected`]
    : [`Breaking: arguments ${value} were valid and are now rejected`];
}

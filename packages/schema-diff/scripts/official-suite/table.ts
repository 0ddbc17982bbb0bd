import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import { acceptsValueJudge, ajvJudge, type Outcome, outcomesOf } from "./judge.ts";
import { DRAFTS, type DraftFolder, PARTS, type Part, readGroups, readRemotes } from "./read-suite.ts";

/** Explanations of verdicts `unknown`, by the judge's reason. A reason that is missing here is an error. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  content: "validators of draft-07 may assert encodings and media types",
  "foreign-keyword $ref": "validators differ on keywords next to a `$ref` of draft-07",
  "foreign-keyword dependencies": "a keyword of draft-07 in a later draft: validators differ",
  format: "validators differ on whether a format is asserted",
  "not-proven": "a multiple on which double and decimal arithmetic differ, or names for a pattern with `\\p{…}`",
  pattern: "a pattern with `\\p{…}`, which is not read",
  "remote-ref": "a reference out of the document: nothing is fetched, meta-schemas included",
  "unknown-dialect": "`$schema` names a meta-schema of the suite",
  "unresolved-ref": "two places have the same URI, one of them below an unknown keyword",
  "unsupported-keyword $dynamicRef": "not evaluated",
  "unsupported-keyword $recursiveRef": "not evaluated",
  "unsupported-keyword unevaluatedItems": "not evaluated",
  "unsupported-keyword unevaluatedProperties": "not evaluated",
};

const FOLDERS = Object.keys(DRAFTS) as DraftFolder[];

interface PartResult {
  readonly draft: DraftFolder;
  readonly part: Part;
  readonly ours: readonly Outcome[];
  readonly ajv: readonly Outcome[];
}

/** Returns the outcomes of every test of the suite in the folder `root`. */
function judgeSuite(root: string): PartResult[] {
  return FOLDERS.flatMap((draft) => {
    const remotes = readRemotes(root, draft);
    return (Object.keys(PARTS) as Part[]).map((part) => {
      const groups = readGroups(root, draft, part);
      const ours = groups.flatMap((group) => outcomesOf(group, acceptsValueJudge(group.schema)));
      const ajv = groups.flatMap((group) => outcomesOf(group, ajvJudge(group.schema, { draft, part, remotes })));
      return { draft, part, ours, ajv };
    });
  });
}

/**
 * Returns the README's tables: the counts for each part next to ajv's, and the reasons for verdicts `unknown`.
 *
 * @throws Error for a reason that has no explanation.
 */
export function suiteTables(root: string): string {
  const results = judgeSuite(root);
  const counts = results.map(({ draft, part, ours, ajv }) => [draft, part, ...countsOf(ours), ...countsOf(ajv)]);
  const header = ["draft", "part", ...headerOf("`acceptsValue`"), ...headerOf("ajv")];
  return [markdownTable(header, counts), reasonTable(results)].join("\n\n");
}

const TYPES = ["passed", "failed", "unsupported"] as const;

const headerOf = (name: string): string[] => [`${name}: passed`, "failed", "not supported"];

function countsOf(outcomes: readonly Outcome[]): string[] {
  return TYPES.map((type) => String(outcomes.filter((outcome) => outcome.type === type).length));
}

function reasonTable(results: readonly PartResult[]): string {
  const found = results.flatMap(({ draft, ours }) =>
    ours.flatMap((outcome) => (outcome.type === "unsupported" ? [{ draft, reason: outcome.reason }] : [])),
  );
  const rows = [...new Set(found.map(({ reason }) => reason))].sort().map((reason) => {
    const explanation = EXPLANATIONS[reason];
    if (explanation === undefined) throw new Error(`the reason ${reason} has no explanation`);
    const cells = FOLDERS.map((draft) => found.filter((one) => one.draft === draft && one.reason === reason).length);
    return [reason, ...cells.map(String), explanation];
  });
  return markdownTable(["not supported", ...FOLDERS, "because"], rows);
}

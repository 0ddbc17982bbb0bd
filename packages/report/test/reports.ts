import type { Finding, JudgedReport, Place } from "@agentprint/findings";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";

/**
 * Matches invisible characters: controls, format characters, surrogates, private use, and blanks other than the space.
 */
export const UNSEEN: RegExp =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;

/** Returns a report with one finding, given the members of the finding and of its place. */
export function reportOf(
  { subject = "subject", pointer, location, ...finding }: Partial<Omit<Finding, "place"> & Place>,
  rest: Partial<JudgedReport> = {},
): JudgedReport {
  const place = { subject, ...(pointer !== undefined && { pointer }), ...(location && { location }) };
  const full: Finding = { rule: "test/rule", level: "error", message: "changed", place, ...finding };
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: "1 difference",
    outcome: "drift",
    findings: [full],
    rules: { "test/rule": { level: "error", summary: "Something changed.", help: "Review it." } },
    checked: [subject],
    data: { before: finding.before ?? null },
    ...rest,
  };
}

const HOSTILE = [
  "\u001b[31m",
  "\u009b2J",
  "\u0000",
  "\r\n",
  "\u2028",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ufeff",
  "\u{e0041}",
  "\ud800",
  "\udc00",
  "\uffff",
  "\u3164",
  "\u{e0100}\ufe0f",
  "\u{1d159}\u2800",
  "```",
  "`",
  "*a*",
  "_a_",
  "~~a~~",
  "<script>",
  "</failure>",
  "]]>",
  "&amp;",
  '"',
  "::error::",
  "%0A",
  "##[error]",
  "@everyone",
  "[a](javascript:1)",
  "https://x.test",
  "|",
  "\\",
  "# ",
  "- ",
  "![x](y)",
  "<!--",
  "-->",
  "__proto__",
  "💥",
];

/** Any string, including strings that terminals, Markdown, XML or workflow commands interpret. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 400 }),
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 5 })), { maxLength: 20 })
    .map((parts) => parts.join("")),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
);

const anyValue: fc.Arbitrary<NonNullable<Finding["before"]>> = fc.oneof(
  anyText,
  fc.integer(),
  fc.boolean(),
  fc.array(anyText, { maxLength: 3 }),
  anyText.map((key) => Object.fromEntries([[key, key]])),
);

const anyPlace: fc.Arbitrary<Place> = fc.record(
  {
    subject: anyText,
    pointer: anyText,
    location: fc.record(
      { file: anyText, line: fc.integer({ min: 1 }), column: fc.integer({ min: 1 }) },
      { requiredKeys: ["file"] },
    ),
  },
  { requiredKeys: ["subject"] },
);

const anyLevel = fc.constantFrom("error", "warning", "note");

const anyFinding: fc.Arbitrary<Finding> = fc.record(
  {
    rule: anyText,
    level: anyLevel,
    place: anyPlace,
    message: anyText,
    before: anyValue,
    after: anyValue,
    note: anyText,
    couldNotTell: fc.constant(true as const),
  },
  { requiredKeys: ["rule", "level", "place", "message"] },
);

/** Any report in which every string is hostile. */
export const anyReport: fc.Arbitrary<JudgedReport> = fc.record({
  command: anyText,
  title: anyText,
  summary: anyText,
  outcome: fc.constantFrom("same", "drift", "unknown"),
  findings: fc.array(anyFinding, { maxLength: 4 }),
  rules: fc.tuple(anyText, anyLevel).map(([id, level]) => Object.fromEntries([[id, { level, summary: id, help: id }]])),
  checked: fc.uniqueArray(anyText, { maxLength: 4 }),
  data: anyValue.map((value) => ({ value })),
});

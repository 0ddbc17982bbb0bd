import { CanonicalJsonError, canonicalize, parseJson } from "@agentprint/canonical-json";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { type Finding, LEVELS, type Level } from "@agentprint/findings";
import { z } from "zod";
import { MAX_JSON_BYTES } from "../files/limits.ts";
import { readInput } from "../files/read-input.ts";
import { reportDigest } from "../report/write-report.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Candidate } from "./candidate.ts";
import type { OtherFix } from "./notice-other-launches.ts";

/** The digests of each server's states before and after the change that a report shows, by server name. */
type ReviewedStates = ReadonlyMap<string, { readonly before: string; readonly after: string }>;

/** The states and differences that a report shows. */
interface ReviewedReport {
  readonly states: ReviewedStates;
  /** The servers that the check could not read, or some of whose changes a policy left out. */
  readonly unshown: readonly string[];
  /** Whether one of them was not started, because its launch changed. */
  readonly isHeldBack: boolean;
  /** The levels of the differences that the report shows, by their texts from {@link differenceOf}. */
  readonly differences: ReadonlyMap<string, Level>;
  /** The names of servers and tools that the check knew; fewer may be known when the servers are read again. */
  readonly names: readonly string[];
}

const Digest = z.string().refine(isSha256Hex, "expected 64 lowercase hexadecimal digits");
const ShownFinding = z.object({
  rule: z.string(),
  level: z.enum(LEVELS),
  message: z.string(),
  place: z.object({ subject: z.string(), pointer: z.string().optional() }),
  before: z.json().optional(),
  after: z.json().optional(),
  isRemark: z.literal(true).optional(),
});
const CheckReport = z.object({
  reportVersion: z.literal(1),
  reportDigest: Digest,
  leftOut: z.array(z.string()).default([]),
  names: z.array(z.string()).default([]),
  findings: z.array(ShownFinding),
  servers: z.array(
    z.object({
      server: z.string(),
      digest: z.object({ before: Digest.optional(), after: Digest.optional() }),
      failure: z.object({ code: z.string() }).optional(),
    }),
  ),
});

/** The failures of servers that a check does not start without `--allow-changed-launch`. */
const HELD_BACK: readonly string[] = ["not-started", "launch-changed"];

/**
 * Reads which states a report of `check --format json` shows. Leaves out servers that are not pinned, that did not
 * change, or some of whose changes a policy left out.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read; `invalid-report` when it is
 * not a report of a check
 */
export async function readReviewed(context: InputContext, file: string): Promise<ReviewedReport> {
  const { servers, leftOut, names, findings, isWhole } = parseReport(
    await readInput(context, file, MAX_JSON_BYTES),
    file,
  );
  const states = new Map<string, { before: string; after: string }>();
  for (const { server, digest } of servers) {
    const { before, after } = digest;
    if (states.has(server)) throw invalidReport(file, `two results for ${server}`);
    if (leftOut.includes(server)) continue;
    if (before !== undefined && after !== undefined && before !== after) states.set(server, { before, after });
  }
  if (!isWhole) throw invalidReport(file, "it was changed after it was written, as its reportDigest shows");
  const unshown = servers.filter(({ server, digest }) => digest.after === undefined || leftOut.includes(server));
  const isHeldBack = unshown.some(({ failure }) => failure !== undefined && HELD_BACK.includes(failure.code));
  const differences = new Map(findings.map((finding) => [differenceOf(finding), finding.level]));
  return { states, unshown: unshown.map(({ server }) => server), isHeldBack, differences, names };
}

/** Returns the rule, words, place and values of a finding, and whether it is a remark; no policy changes these. */
function differenceOf(finding: z.infer<typeof ShownFinding> | Finding): string {
  const { rule, message, place, before, after, isRemark = false } = finding;
  const { subject, pointer } = place;
  const values = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  return canonicalize([rule, message, subject, pointer ?? null, isRemark, values], { profile: "ecmascript" });
}

/** Returns the error for a report that omits, or plays down, a difference that the command itself found. */
export function refuseLess(
  differences: ReadonlyMap<string, Level>,
  found: readonly Finding[],
  file: string,
): CliError | undefined {
  const missing = found.find((finding) => {
    const level = differences.get(differenceOf(finding));
    return level === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(finding.level);
  });
  if (missing === undefined) return undefined;
  const { subject, pointer = "" } = missing.place;
  return new CliError("not-reviewed", `${file} does not show all that changed; the lock is unchanged`, {
    where: `${missing.rule}: ${subject}${pointer === "" ? "" : ` at ${pointer}`}`,
    fix: "check again, review the new report, and approve from that one",
  });
}

/**
 * Returns the error for a server that is not in the state that the report shows, or whose entry is neither of the two
 * that the report compares.
 */
export function refuseOtherStates(
  reviewed: ReviewedStates,
  candidates: readonly Candidate[],
  file: string,
  otherFix: OtherFix,
): CliError | undefined {
  for (const { before: entry, after: found } of candidates) {
    const { before, after } = reviewed.get(found.name) ?? {};
    if (found.digest !== after) {
      return notReviewed(
        `${found.name} is not in the state that ${file} shows`,
        found.digest,
        after,
        otherFix([found.name]),
      );
    }
    if (entry.digest !== before && entry.digest !== after) {
      return notReviewed(`${file} compares ${entry.name} with an entry other than the lock's`, entry.digest, before);
    }
  }
  return undefined;
}

function notReviewed(message: string, digest: string, expected: string | undefined, otherFix?: string): CliError {
  return new CliError("not-reviewed", `${message}; the lock is unchanged`, {
    expected: `digest ${expected}`,
    where: `digest ${digest}`,
    fix: otherFix ?? "check again, review the new report, and approve from that one",
  });
}

function parseReport(text: Uint8Array, file: string): z.infer<typeof CheckReport> & { readonly isWhole: boolean } {
  let value: unknown;
  try {
    value = parseJson(text, { maxBytes: MAX_JSON_BYTES });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw invalidReport(error.line === undefined ? file : `${file}:${error.line}:${error.column}`, error.message);
  }
  const parsed = CheckReport.safeParse(value);
  if (parsed.success) return { ...parsed.data, isWhole: parsed.data.reportDigest === reportDigest(value as object) };
  const [issue] = parsed.error.issues;
  throw invalidReport(file, `${issue?.path.join(".") || "the document"}: ${issue?.message}`);
}

function invalidReport(where: string, reason: string): CliError {
  return new CliError("invalid-report", `this is not the report of a check: ${reason}`, {
    where,
    expected: "what agentprint check --format json printed",
  });
}

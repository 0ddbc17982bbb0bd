import { sha256Hex } from "@agentprint/canonical-json";
import type { Outcome } from "@agentprint/findings";
import type { CheckpointTrust } from "@agentprint/trail/checkpoint";
import { fromBase64 } from "../base64.ts";
import { readEnvelope, signerOf } from "../envelope.ts";
import { StatementError } from "../errors.ts";
import type { StatementVerifier } from "../keys.ts";
import { type Evidence, MAX_EVIDENCE_BYTES } from "./evidence.ts";
import { readEvidence } from "./evidence-shape.ts";
import type { EvidenceProblem, PartBytes, ReportProblem } from "./problem.ts";
import { EVIDENCE_RULES } from "./rules.ts";
import { type OpenBundle, verifyReviews } from "./verify-reviews.ts";
import { verifyTrail } from "./verify-trail.ts";

/** The keys that an auditor obtained independently of the bundle. */
export interface EvidenceTrust {
  /** The keys that may sign a bundle; if there are none, nothing proves who made it. */
  readonly keys: readonly StatementVerifier[];
  /** The log whose checkpoints are accepted; absent if the auditor knows none. */
  readonly log?: CheckpointTrust | undefined;
  /** Opens a statement in a Sigstore bundle with a trusted root; absent if the auditor has none. */
  readonly openBundle?: OpenBundle | undefined;
}

/** The result of verifying a bundle. */
export interface VerifiedEvidence {
  /** Absent if no given key signed the bundle, which was then not read. */
  readonly evidence?: Evidence;
  /** The id of the key that signed; absent if no key was given. */
  readonly keyId?: string;
  readonly problems: readonly EvidenceProblem[];
  /** `drift` if something is wrong, otherwise `unknown` if something could not be verified. */
  readonly outcome: Outcome;
}

const BUNDLE = "bundle";

/**
 * Verifies a bundle without any other source.
 *
 * @param text The bundle's text, at most 64 MiB
 * @throws {@link StatementError} `invalid-envelope`, `invalid-evidence` when it is not a bundle
 *
 * @example
 * ```ts
 * import { createLock, formatLock } from "@agentprint/mcp-lock";
 * import { createEvidence, sealEvidence, verifyEvidence } from "@agentprint/statement/evidence";
 *
 * const lock = { name: "agentprint.lock", bytes: new TextEncoder().encode(formatLock(createLock({}))) };
 * const files = { lock, attestations: [], statements: [], trails: [] };
 * const evidence = await createEvidence({ made: new Date(), versions: {}, period: {}, ...files });
 * const { outcome, problems } = verifyEvidence(sealEvidence(evidence), { keys: [] });
 * console.log(outcome, problems[0]?.message); // unknown no key was given: nothing proves who made the bundle
 * ```
 */
export function verifyEvidence(text: string | Uint8Array, { keys, log, openBundle }: EvidenceTrust): VerifiedEvidence {
  const envelope = readEnvelope(text, MAX_EVIDENCE_BYTES);
  const problems: EvidenceProblem[] = [];
  const report: ReportProblem = (rule, part, message) => problems.push({ rule, part, message });
  let keyId: string | undefined;
  if (keys.length === 0) {
    report("evidence/not-verified", BUNDLE, "no key was given: nothing proves who made the bundle");
  } else {
    try {
      keyId = signerOf(envelope, keys);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      report("evidence/wrong-signature", BUNDLE, error.message);
      return { problems, outcome: "drift" };
    }
  }
  const evidence = readEvidence(envelope.payload);
  const parts = partsOf(evidence, report);
  verifyReviews(evidence.predicate, { parts, openBundle }, report);
  if (evidence.predicate.trails.length === 0) {
    report("evidence/not-verified", BUNDLE, "the bundle has no trail");
  }
  for (const trail of evidence.predicate.trails) {
    verifyTrail(trail, { parts, log, period: evidence.predicate.period }, report);
  }
  return { evidence, ...(keyId !== undefined && { keyId }), problems, outcome: outcomeOf(problems) };
}

function partsOf({ subject }: Evidence, report: ReportProblem): PartBytes {
  const bytes = new Map<string, Uint8Array>();
  for (const { name, digest, content } of subject) {
    const part = fromBase64(content);
    bytes.set(name, part);
    if (sha256Hex(part) !== digest.sha256) {
      report("evidence/part-changed", name, `the part does not have the digest ${digest.sha256}`);
    }
  }
  // A bundle whose predicate names any other part has already been refused.
  return (name) => bytes.get(name) as Uint8Array;
}

function outcomeOf(problems: readonly EvidenceProblem[]): Outcome {
  const levels = new Set(problems.map(({ rule }) => EVIDENCE_RULES[rule].level));
  return levels.has("error") ? "drift" : levels.has("warning") ? "unknown" : "same";
}

import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a rule about an evidence bundle. */
export type EvidenceRuleId =
  | "evidence/wrong-signature"
  | "evidence/part-changed"
  | "evidence/lock-invalid"
  | "evidence/configuration-invalid"
  | "evidence/attestation-invalid"
  | "evidence/statement-invalid"
  | "evidence/records-altered"
  | "evidence/checkpoint-invalid"
  | "evidence/proof-invalid"
  | "evidence/period-cut"
  | "evidence/not-verified"
  | "evidence/earlier-entry";

const ASK = "Do not use the bundle. Request a new one from its creator, and find out who changed this one.";

/** The rules about an evidence bundle. */
export const EVIDENCE_RULES: Rules<EvidenceRuleId> = /* @__PURE__ */ deepFreeze({
  "evidence/wrong-signature": {
    level: "error",
    summary: "None of the given keys signed the bundle.",
    help: ASK,
    why: "The creator of the bundle does not have the key that you trust, or the bundle was changed after signing. Nothing else in the bundle was read.",
    example: { text: "One letter of the payload was changed." },
  },
  "evidence/part-changed": {
    level: "error",
    summary: "A part of the bundle does not have the digest in its statement.",
    help: ASK,
    why: "The part was changed after the bundle was made.",
    example: { text: "A record was removed from the trail." },
  },
  "evidence/lock-invalid": {
    level: "error",
    summary: "The lock in the bundle cannot be read, or one of its digests is wrong.",
    help: ASK,
    why: "A lock is read strictly, and each digest in it is recomputed.",
    example: { text: "A description was changed, but its digest was not." },
  },
  "evidence/configuration-invalid": {
    level: "error",
    summary: "The configuration in the bundle cannot be read, or a key in it is not a key.",
    help: ASK,
    why: "The configuration lists the keys of reviewers and authors.",
    example: { text: "A reviewer's key was truncated." },
  },
  "evidence/attestation-invalid": {
    level: "error",
    summary: "An attestation in the bundle is malformed, or its signature is wrong.",
    help: ASK,
    why: "The reviewer did not sign this content.",
    example: { text: "A reviewer's note was changed." },
  },
  "evidence/statement-invalid": {
    level: "error",
    summary: "An author's statement is not the one in the lock, or is not about the pinned server.",
    help: ASK,
    why: "The lock names the accepted statement by its digest, and a statement names the set hashes to which it applies.",
    example: { text: "The statement of an older release was substituted for it." },
  },
  "evidence/records-altered": {
    level: "error",
    summary: "A trail's records are not a contiguous piece of one chain.",
    help: ASK,
    why: "Each record contains its own hash and the hash of the record before it.",
    example: { text: "A word in a record was changed." },
  },
  "evidence/checkpoint-invalid": {
    level: "error",
    summary: "A checkpoint in the bundle is malformed, belongs to another log, or has a wrong signature.",
    help: ASK,
    why: "A checkpoint from another log does not describe this trail.",
    example: { text: "The trail of another store was substituted for it, with its checkpoints." },
  },
  "evidence/proof-invalid": {
    level: "error",
    summary: "A proof does not connect records with a checkpoint, or two checkpoints.",
    help: ASK,
    why: "The records differ from those that the log signed.",
    example: { text: "A trail was rewritten after its checkpoint." },
  },
  "evidence/period-cut": {
    level: "error",
    summary: "Records are missing at the beginning or the end of the period.",
    help: ASK,
    why: "A bundle contains the record before and the record after its period, unless the chain begins or ends there.",
    example: { text: "The last hour of the period was cut off." },
  },
  "evidence/not-verified": {
    level: "warning",
    summary: "A part of the bundle could not be verified.",
    help: "Pass the missing key, or ask the bundle's creator for the missing part, such as a later checkpoint.",
    why: "The part may be right or wrong; the bundle alone cannot show which.",
    example: { text: "No key for the log was given." },
  },
  "evidence/earlier-entry": {
    level: "note",
    summary: "An attestation does not belong to the current entry in the lock.",
    help: "Do nothing, unless a review of this entry is required.",
    why: "The reviewer reviewed an earlier entry, or a server that is no longer pinned.",
    example: { text: "The server was updated after the review." },
  },
});

import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";
import { KEY_RULES, type KeyRuleId } from "./key-rules.ts";

/** The id of a rule about an author's statement. */
export type StatementRuleId =
  | KeyRuleId
  | "statement/expired"
  | "statement/issued-later"
  | "statement/replayed"
  | "statement/rolled-back"
  | "statement/republished"
  | "statement/unlinked"
  | "statement/wrong-subject"
  | "statement/definitions-differ"
  | "statement/lying-verdict"
  | "statement/lying-alias"
  | "statement/unproven-verdict"
  | "statement/wrong-key"
  | "statement/invalid-signature"
  | "statement/wrong-identity"
  | "statement/untrusted-certificate"
  | "statement/not-logged"
  | "statement/unreadable"
  | "statement/missing";

const fixedBecause = "A false statement must not be accepted, whatever a policy says.";
const ASK = "Do not use the release. Ask the author through a channel other than the statement.";

/** The rules for a server author's statement about a release. */
export const STATEMENT_RULES: Rules<StatementRuleId> = /* @__PURE__ */ deepFreeze({
  "statement/expired": {
    level: "error",
    summary: "The statement has expired.",
    help: "Get the author's newest statement; the author renews it as long as the release should be used.",
    why: "An author lets a release's statement expire when no one should use the release any more. Without an expiry, no one would notice that a newer statement is withheld.",
    example: {
      text: "The statement was valid until January.",
      before: "2026-01-31T00:00:00Z",
      after: "2026-02-01T00:00:00Z",
    },
    fixedBecause,
  },
  "statement/issued-later": {
    level: "error",
    summary: "The statement claims to be signed in the future.",
    help: "Set the clock of this machine. If the clock is right, ask the author.",
    why: "Such a statement would stay the newest for as long as its author likes.",
    example: {
      text: "The statement is dated next year.",
      before: "2027-01-31T00:00:00Z",
      after: "2026-01-31T00:00:00Z",
    },
    fixedBecause,
  },
  "statement/replayed": {
    level: "error",
    summary: "The statement is older than the previously accepted one.",
    help: "Get the author's newest statement.",
    why: "Replaying an old statement hides later ones, such as a warning about a release.",
    example: {
      text: "The statement from May was accepted; this one is from March.",
      before: "2026-05-01T00:00:00Z",
      after: "2026-03-01T00:00:00Z",
    },
    fixedBecause,
  },
  "statement/rolled-back": {
    level: "error",
    summary: "The statement is newer than the accepted one, but about an older version.",
    help: ASK,
    why: "An older version has faults that a newer version corrected.",
    example: { text: "Version 2.1.0 was accepted before.", before: "2.1.0", after: "2.0.9" },
    fixedBecause,
  },
  "statement/republished": {
    level: "error",
    summary: "The statement has different definitions for the previously accepted version.",
    help: ASK,
    why: "A version that contains something different for each user cannot be reviewed.",
    example: { text: "Two statements about 2.1.0 name different set hashes." },
    fixedBecause,
  },
  "statement/unlinked": {
    level: "warning",
    summary: "The statement follows a different statement about the accepted version than the one that was accepted.",
    help: "Get the intermediate statement that renewed the accepted one, and accept it first.",
    why: "Without a complete sequence, no one can prove that the author did not sign two histories.",
    example: { text: "The statement about 2.1.0 was renewed, and the statement about 2.2.0 names the renewed one." },
  },
  "statement/wrong-subject": {
    level: "error",
    summary: "The statement is not about the current state.",
    help: "Get the statement that belongs to this release.",
    why: "An author's signature is only valid for the release that the statement names.",
    example: { text: "The statement names the set hash of another release." },
    fixedBecause,
  },
  "statement/definitions-differ": {
    level: "error",
    summary: "The server's definitions are not the ones in the statement.",
    help: ASK,
    why: "The author signed definitions that differ from what a model reads here.",
    example: { text: "The tool read has a different hash from the one in the statement." },
    fixedBecause,
  },
  "statement/lying-verdict": {
    level: "error",
    summary: "The change is larger than the statement says.",
    help: "Review the change as if there were no statement, and ask the author.",
    why: "Anyone who trusted the verdict would accept a change that breaks callers or that a person must review.",
    example: { text: "A parameter became required.", before: "patch", after: "major" },
    fixedBecause,
  },
  "statement/lying-alias": {
    level: "error",
    summary: "The statement names a rename that did not happen.",
    help: ASK,
    why: "Lists of allowed tools follow renames, so a false rename would allow another tool.",
    example: { text: "According to the statement, read was renamed to write, but read is still there." },
    fixedBecause,
  },
  "statement/unproven-verdict": {
    level: "note",
    summary: "The verdict is against a release other than the pinned one, and cannot be verified.",
    help: "Review the change in the report.",
    why: "A verdict is valid only for the change from the release that it names.",
    example: { text: "Version 1.1.0 is pinned, but the verdict is against 1.2.0." },
  },
  "statement/wrong-key": {
    level: "error",
    summary: "No key that may sign for the server signed the statement.",
    help: "Compare the key with the one that the author publishes.",
    why: "Anyone can write a statement.",
    example: { text: "The statement is signed by an unknown key." },
    fixedBecause,
  },
  "statement/invalid-signature": {
    level: "error",
    summary: "The signature does not match the statement.",
    help: "Get the statement again from its author.",
    why: "The statement was changed after it was signed.",
    example: { text: "One digit of a hash was changed." },
    fixedBecause,
  },
  "statement/wrong-identity": {
    level: "error",
    summary: "The Sigstore identity that signed the statement may not sign for the server.",
    help: "Compare the identity and its issuer with those in the configuration. If the author moved, ask through another channel before you name the new identity.",
    why: "Anyone can sign with Sigstore. The certificate shows who signed, but only the identities in the configuration speak for the author.",
    example: {
      text: "A workflow in another repository signed the statement.",
      after: "https://github.com/other/files/.github/workflows/release.yml@refs/tags/v1.2.0",
    },
    fixedBecause,
  },
  "statement/untrusted-certificate": {
    level: "error",
    summary:
      "No authority in the trusted root issued the signer's certificate, or the certificate was not valid at the time of signing.",
    help: "Compare the trusted root with the current one of the author's Sigstore instance, and renew it if the instance has new authorities.",
    why: "Anyone can issue a certificate in the author's name. A certificate is valid only for the minutes in which the authority vouches for the signer.",
    example: { text: "The certificate had expired when the signature was logged." },
    fixedBecause,
  },
  "statement/not-logged": {
    level: "error",
    summary: "No log in the trusted root contains the statement's signature, or nothing says when it was made.",
    help: "Get the bundle again from the author. If it is the same bundle, do not use the release.",
    why: "A certificate is valid only for minutes: without the log, anyone who finds its key later could sign anything. The log also lets authors see what was signed in their name.",
    example: { text: "The bundle contains no log entry." },
    fixedBecause,
  },
  "statement/unreadable": {
    level: "error",
    summary: "The statement cannot be read.",
    help: "Get the statement again from its author, or use a newer agentprint if the statement's format is newer.",
    why: "An unreadable statement proves nothing.",
    example: { text: "The file is a page that reports Not Found." },
    fixedBecause,
  },
  "statement/missing": {
    level: "error",
    summary: "There is no statement at the configured place.",
    help: "Get the statement of the pinned release, or correct the place in the configuration.",
    why: "Anyone who can withhold a statement could hide its content. If none is required, the finding is a note.",
    example: { text: "The author omitted the statement from the package." },
    fixedBecause,
  },
  ...KEY_RULES,
});

/** Returns whether a problem under a rule makes a statement invalid. */
export function isStatementError(rule: StatementRuleId): boolean {
  return STATEMENT_RULES[rule].level === "error";
}

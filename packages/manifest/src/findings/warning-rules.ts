import { deepFreeze } from "@agentprint/canonical-json";
import type { Rules } from "@agentprint/findings";
import type { ManifestWarningCode } from "../issue.ts";

/** The explanation of each warning about an accepted manifest, and its remedy. */
export const WARNING_RULES: Rules<`manifest/${ManifestWarningCode}`> = /* @__PURE__ */ deepFreeze({
  "manifest/CONFUSABLE_SCOPE_ID": {
    level: "warning",
    summary: "A scope id has characters beyond visible ASCII, or looks like a standard scope.",
    help: "Write the id in ASCII letters, digits and punctuation, and a standard scope exactly as clients know it.",
    why: "Users mistake a scope that looks like a known scope for the known one.",
    example: { text: "The first letter is Cyrillic.", before: "сontacts:read", after: "contacts:read" },
  },
  "manifest/INPUT_SCHEMA_INVALID_PATTERN": {
    level: "warning",
    summary: "A pattern is not a regular expression, so validators disagree on it or fail.",
    help: "Write an ECMA-262 regular expression, and escape literal characters.",
    why: "If one validator ignores a pattern, it accepts what another refuses.",
    example: { text: "A bracket is not closed.", before: { pattern: "[a-z" }, after: { pattern: "[a-z]" } },
  },
  "manifest/INPUT_SCHEMA_REF_CYCLE": {
    level: "warning",
    summary: "A $ref leads back to itself without going into the value, so validators never finish, or refuse it.",
    help: "Remove the reference, or put it below a keyword such as properties or items.",
    why: "A validator that follows the reference never returns.",
    example: {
      text: "A definition refers to itself.",
      before: { $defs: { a: { $ref: "#/$defs/a" } } },
      after: { $defs: { a: { items: { $ref: "#/$defs/a" } } } },
    },
  },
  "manifest/INPUT_SCHEMA_REMOTE_REF": {
    level: "warning",
    summary: "A $ref leads out of the manifest. Its target is never fetched, so the arguments cannot be checked.",
    help: "Copy its target into $defs and refer to that.",
    why: "The content at the address can be replaced after the review.",
    example: {
      text: "A schema refers to a page.",
      before: { $ref: "https://example.com/address.json" },
      after: { $ref: "#/$defs/address" },
    },
  },
  "manifest/INPUT_SCHEMA_UNRESOLVED_REF": {
    level: "warning",
    summary: "A $ref leads nowhere.",
    help: "Correct it, or add its target to $defs.",
    why: "No argument can be checked against a missing schema.",
    example: {
      text: "A definition has a different name.",
      before: { $ref: "#/$defs/adress" },
      after: { $ref: "#/$defs/address" },
    },
  },
  "manifest/MANIFEST_LARGE": {
    level: "warning",
    summary: "The manifest takes 64 KB of canonical JSON or more; the limit is 128 KB.",
    help: "Use fewer tools, and oneOf for similar tools.",
    why: "The next tools may no longer fit.",
    example: { text: "A manifest of 100 KB has 60 tools that differ in one value." },
  },
  "manifest/STANDARD_SCOPE_WEAKENED": {
    level: "warning",
    summary: "A standard scope is declared less sensitive than its standard level.",
    help: "Declare its standard sensitivity, or use a scope of your own.",
    why: "Users know how sensitive a standard scope is, and are asked less carefully than they expect.",
    example: {
      text: "Reading mail is declared as harmless.",
      before: { sensitivity: "low" },
      after: { sensitivity: "high" },
    },
  },
  "manifest/TOO_MANY_WARNINGS": {
    level: "warning",
    summary: "There are more warnings than listed: over 10,000, or their pointers take over a million characters.",
    help: "Start with those listed first.",
    why: "An endless list helps no one.",
    example: { text: "A generated file has a warning in each of 20,000 scopes." },
  },
  "manifest/UNAVAILABLE_CAPABILITY": {
    level: "note",
    summary: "The manifest declares voice, which no client of version 1 of the specification supports yet.",
    help: "Omit the flag, or keep it if the agent is ready for clients with voice.",
    why: "Users see a capability that they cannot use.",
    example: {
      text: "The flag is declared in advance.",
      before: { supports_voice: true },
      after: { supports_voice: false },
    },
  },
  "manifest/UNUSUAL_SCOPE_ID": {
    level: "warning",
    summary: "A scope id is not of the suggested form <domain>:<action>.",
    help: "Rename it, for example to filesystem:read.",
    why: "The domain tells users what a scope is about, and the action what it permits.",
    example: { text: "An id without an action.", before: "files", after: "files:read" },
  },
});

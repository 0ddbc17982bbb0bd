import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a rule about an author's statements about keys. */
export type KeyRuleId =
  | "statement/key-rotated"
  | "statement/revocation-new"
  | "statement/key-revoked"
  | "statement/key-succeeded"
  | "statement/key-cycle"
  | "statement/keys-forked"
  | "statement/keys-rolled-back"
  | "statement/keys-forgotten"
  | "statement/unknown-key";

const fixedBecause = "An invalid key must not become valid again, whatever a policy says.";
const ASK = "Ask the author through a channel other than the statement, and name the valid key in the configuration.";

/** The rules about authors' keys. */
export const KEY_RULES: Rules<KeyRuleId> = /* @__PURE__ */ deepFreeze({
  "statement/key-rotated": {
    level: "warning",
    summary: "The author replaced a key, and no one has accepted the new one.",
    help: "Compare the new key with the one that the author publishes elsewhere, then run `agentprint approve <server>`.",
    why: "Anyone who stole a key can sign such a statement, with any date.",
    example: {
      text: "The author has had a new key since May.",
      after: "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    },
  },
  "statement/revocation-new": {
    level: "warning",
    summary: "The author revokes a key that the lock does not remember.",
    help: "Run `agentprint approve <server>`, so that the key does not become valid again where the revocation is withheld.",
    why: "Someone with a stolen key publishes the history without the revocation.",
    example: { text: "A key was revoked in May.", after: "2026-05-01T00:00:00Z" },
  },
  "statement/key-revoked": {
    level: "error",
    summary: "A revoked key signed.",
    help: "Get a statement signed with the author's current key. Review again what you accepted since the key was lost.",
    why: "Others have the key. They can sign anything, with any date.",
    example: { text: "The key has been revoked since May.", before: "2026-05-01T00:00:00Z" },
    fixedBecause,
  },
  "statement/key-succeeded": {
    level: "error",
    summary: "A replaced key signed.",
    help: "Get the statement that the new key signed. The author writes it again with `agentprint release --statement`.",
    why: "An author who has replaced a key no longer uses it, but someone else may. The previously accepted statement stays valid.",
    example: { text: "The key was replaced in May, but signed a new statement." },
    fixedBecause,
  },
  "statement/key-cycle": {
    level: "error",
    summary: "A key that was replaced or revoked would become valid again.",
    help: ASK,
    why: "Anyone who stole the old key could sign for the author again.",
    example: { text: "The first key replaced the second one, which had replaced the first one." },
    fixedBecause,
  },
  "statement/keys-forked": {
    level: "error",
    summary: "The author's keys have two histories.",
    help: `${ASK} Once you know the right history, remove the other one from authorKeys in the lock.`,
    why: "Two people have the key, and each has named a different successor.",
    example: { text: "One statement replaces the key with one key, and another statement with another key." },
    fixedBecause,
  },
  "statement/keys-rolled-back": {
    level: "error",
    summary: "Previously accepted statements about keys are missing.",
    help: "Get all the author's statements about keys again.",
    why: "Anyone who withholds them may also withhold the next one, which revokes a key.",
    example: { text: "Three were accepted, but only two are there.", before: 3, after: 2 },
    fixedBecause,
  },
  "statement/keys-forgotten": {
    level: "error",
    summary: "The change removes what the lock remembers about authors' keys.",
    help: "Restore it, or ask the change's author why the keys should be valid again.",
    why: "Without it, a revoked key is accepted wherever its revocation is withheld.",
    example: { text: "The base's lock remembers that a key is revoked." },
    fixedBecause,
  },
  "statement/unknown-key": {
    level: "note",
    summary: "There is a statement that no authorized signer signed. It was left out.",
    help: "If the author uses this key or identity, name it in the configuration.",
    why: "Anyone can publish a statement there.",
    example: { text: "The package contains a statement, but the configuration names another key." },
  },
});

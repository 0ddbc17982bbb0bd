import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Level } from "@agentprint/findings";
import type { CheckDecision, GuardDecision, Screening } from "./decisions.ts";
import type { PresetName } from "./presets.ts";

/** A policy as {@link parsePolicy} returns it: frozen, rules by their full ids, no member absent that has a default. */
export interface Policy {
  readonly preset: PresetName;
  /** The lowest level that counts as a difference; the preset has a default. */
  readonly failOn?: Level;
  readonly rules: RuleDecisions;
  readonly ignores: readonly Ignore[];
  /** The screening of the results of servers; absent if results are not screened. */
  readonly results?: ResultRules;
  /** The overrides for one server, by its name in the lock. */
  readonly servers: Readonly<Record<string, ServerPolicy>>;
  /** The statements of authors that are proven, by the names of their servers in the lock; absent if none are. */
  readonly statements?: Readonly<Record<string, StatementRule>>;
}

/** Decisions about rules, by the ids of the rules. */
export type RuleDecisions = Readonly<
  Record<string, { readonly check?: CheckDecision; readonly guard?: GuardDecision }>
>;

/** Findings that a check leaves out until a day. The decisions of a guard do not change. */
export interface Ignore {
  readonly rule: string;
  /** Without it, findings of every server. */
  readonly server?: string;
  /** Without it, findings about every tool. */
  readonly tool?: string;
  /** JSON Pointer inside the subject; without it, findings at every place. */
  readonly path?: string;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC. */
  readonly until: string;
  readonly reason: string;
}

/** The decisions of a policy for one server. */
export interface ServerPolicy {
  /** Replaces the preset and the rules of the whole policy. */
  readonly preset?: PresetName;
  readonly failOn?: Level;
  readonly rules: RuleDecisions;
  /** The rule for calls of a tool, by the name of the tool. */
  readonly calls: Readonly<Record<string, CallRule>>;
  /** Replaces the policy's own setting. */
  readonly results?: ResultRules;
}

/** The screening of the results of a server. */
export interface ResultRules {
  readonly screen: Screening;
}

/** Who may sign statements about a server, and what a proven one is good for. */
export interface StatementRule {
  /**
   * A path below the folder of the lock, or an address with `https`; absent if the statement is looked for where
   * authors put it.
   */
  readonly from?: string;
  /** The public Ed25519 keys that may sign, each as Base64 of its SubjectPublicKeyInfo. */
  readonly keys: readonly string[];
  /** Who may sign without a key; absent if nobody may. */
  readonly sigstore?: SigstoreRule;
  /** A server without a statement is a difference. */
  readonly required?: true;
  /** Changes that a statement which holds lets through: schemas that are proven compatible, in the same words. */
  readonly accept?: "patch";
}

/** Who may sign by an instance of Sigstore. */
export interface SigstoreRule {
  /** The path of its trusted root, below the folder of the lock. */
  readonly trustedRoot: string;
  /** The identities that may sign, each with the service that proves it. */
  readonly identities: readonly { readonly identity: string; readonly issuer: string }[];
}

/** The rule for calls of one tool. */
export interface CallRule {
  readonly deny?: true;
  readonly ask?: true;
  readonly maxPerMinute?: number;
  /** A JSON Schema that the arguments must fulfil; proven to accept nothing that the locked schema refuses. */
  readonly arguments?: JsonObject;
}

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
  /** The author statements that are verified, by the names of their servers in the lock; absent if there are none. */
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
  /** Replaces the preset and the rules of the policy. */
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

/** Who may sign statements about a server, and what a verified one allows. */
export interface StatementRule {
  /**
   * A path below the lock's folder, or an `https` address; absent if the statement is at the place where authors put
   * it.
   */
  readonly from?: string;
  /** The public Ed25519 keys that may sign, each as Base64 of its SubjectPublicKeyInfo. */
  readonly keys: readonly string[];
  /** Who may sign without a key; absent if no one may. */
  readonly sigstore?: SigstoreRule;
  /** A server without a statement is a difference. */
  readonly required?: true;
  /** Changes that a valid statement approves: schemas that are proven compatible, with the same words. */
  readonly accept?: "patch";
}

/** Who may sign through a Sigstore instance. */
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
  /** A JSON Schema that the arguments must satisfy; proven to accept nothing that the locked schema refuses. */
  readonly arguments?: JsonObject;
}

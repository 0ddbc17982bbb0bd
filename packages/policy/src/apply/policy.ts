import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Level } from "@agentprint/findings";
import type { CheckDecision, GuardDecision, Screening } from "./decisions.ts";
import type { PresetName } from "./presets.ts";

/** A policy as {@link parsePolicy} returns it: frozen, with full rule ids and with its defaults filled in. */
export interface Policy {
  readonly preset: PresetName;
  /** The lowest level that counts as a difference; the preset's by default. */
  readonly failOn?: Level;
  readonly rules: RuleDecisions;
  readonly ignores: readonly Ignore[];
  /** How servers' results are screened; absent if they are not. */
  readonly results?: ResultRules;
  /** The overrides for one server, by its name in the lock. */
  readonly servers: Readonly<Record<string, ServerPolicy>>;
  /** The author statements to verify, by the names of their servers in the lock; absent if there are none. */
  readonly statements?: Readonly<Record<string, StatementRule>>;
}

/** Decisions about rules, by rule id. */
export type RuleDecisions = Readonly<
  Record<string, { readonly check?: CheckDecision; readonly guard?: GuardDecision }>
>;

/** Findings that a check leaves out until a day. A guard's decisions do not change. */
export interface Ignore {
  readonly rule: string;
  /** The server whose findings are left out; every server's if absent. */
  readonly server?: string;
  /** The tool about which findings are left out; every tool if absent. */
  readonly tool?: string;
  /** The JSON Pointer inside the subject at which findings are left out; every place if absent. */
  readonly path?: string;
  /** The last day on which the ignore applies, `YYYY-MM-DD` in UTC. */
  readonly until: string;
  readonly reason: string;
}

/** A policy's decisions for one server. */
export interface ServerPolicy {
  /** Replaces the policy's preset and rules. */
  readonly preset?: PresetName;
  readonly failOn?: Level;
  readonly rules: RuleDecisions;
  /** The rules for calls, by tool name. */
  readonly calls: Readonly<Record<string, CallRule>>;
  /** Replaces the policy's own setting. */
  readonly results?: ResultRules;
}

/** How a server's results are screened. */
export interface ResultRules {
  readonly screen: Screening;
}

/** Who may sign statements about a server, and what a verified statement allows. */
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
  /** Whether a server without a statement is a difference. */
  readonly required?: true;
  /** The changes that a valid statement approves: schemas that are proven compatible and have the same words. */
  readonly accept?: "patch";
}

/** Who may sign through a Sigstore instance. */
export interface SigstoreRule {
  /** The path of the instance's trusted root, below the lock's folder. */
  readonly trustedRoot: string;
  /** The identities that may sign, each with the service that proves the identity. */
  readonly identities: readonly { readonly identity: string; readonly issuer: string }[];
}

/** The rule for calls of one tool. */
export interface CallRule {
  readonly deny?: true;
  readonly ask?: true;
  readonly maxPerMinute?: number;
  /** A JSON Schema that the arguments must satisfy; it provably accepts nothing that the locked schema refuses. */
  readonly arguments?: JsonObject;
}

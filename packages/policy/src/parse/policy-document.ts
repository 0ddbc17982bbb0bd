import { LEVELS, type Level } from "@agentprint/findings";
import * as z from "zod";
import {
  CHECK_DECISIONS,
  type CheckDecision,
  GUARD_DECISIONS,
  type GuardDecision,
  SCREENINGS,
  type Screening,
} from "../apply/decisions.ts";
import { PRESET_NAMES, type PresetName } from "../apply/presets.ts";
import { BELOW_FOLDER, MAX_KEYS, PUBLIC_KEY } from "../settings/settings-schema.ts";

/** A policy as the file `agentprint.config.json` contains it. */
export interface PolicyDocument {
  readonly $schema?: string | undefined;
  readonly preset?: PresetName | undefined;
  readonly failOn?: Level | undefined;
  readonly rules?: DocumentRules | undefined;
  readonly ignores?: readonly DocumentIgnore[] | undefined;
  readonly results?: DocumentResults | undefined;
  readonly servers?: Readonly<Record<string, DocumentServer>> | undefined;
  readonly statements?: Readonly<Record<string, DocumentStatement>> | undefined;
  /** How servers are visited; `parseSettings` reads it. */
  readonly visits?: unknown;
  /** Client configurations in other folders; `parseSettings` reads it. */
  readonly configurations?: unknown;
  /** The keys of reviewers; `parseSettings` reads it. */
  readonly reviewers?: unknown;
}

/** Decisions about rules: the level in a check, or the decisions of both check and guard. */
export type DocumentRules = Readonly<
  Record<
    string,
    CheckDecision | { readonly check?: CheckDecision | undefined; readonly guard?: GuardDecision | undefined }
  >
>;

/** Findings that a check leaves out until a day. */
export interface DocumentIgnore {
  readonly rule: string;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly path?: string | undefined;
  readonly until: string;
  readonly reason: string;
}

/** The overrides for one server. */
export interface DocumentServer {
  readonly preset?: PresetName | undefined;
  readonly failOn?: Level | undefined;
  readonly rules?: DocumentRules | undefined;
  readonly calls?: Readonly<Record<string, DocumentCall>> | undefined;
  readonly results?: DocumentResults | undefined;
}

/** Who may sign statements about a server. */
export interface DocumentStatement {
  readonly from?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly sigstore?: DocumentSigstore | undefined;
  readonly required?: boolean | undefined;
  readonly accept?: "patch" | undefined;
}

/** Who may sign through Sigstore. */
export interface DocumentSigstore {
  readonly trustedRoot: string;
  readonly identities: readonly { readonly identity: string; readonly issuer: string }[];
}

/** How servers' results are screened. */
export interface DocumentResults {
  readonly screen?: Screening | undefined;
}

/** The rule for calls of one tool. */
export interface DocumentCall {
  readonly deny?: boolean | undefined;
  readonly ask?: boolean | undefined;
  readonly maxPerMinute?: number | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** Matches a path below a folder, such as a configuration's, or an address. */
const STATEMENT_PLACE = new RegExp(
  `(?![a-z]+:)${BELOW_FOLDER}|^(?:https://|http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])[:/])[^\\s\\p{Cc}]{1,1000}$`,
  "u",
);

const preset = z
  .enum(PRESET_NAMES)
  .describe(
    [
      "The decision for rules that are not named.",
      "strict: each difference counts, and a guard blocks it.",
      "compatible: prose without a signal, new items and schemas that are proven compatible are warnings that do not count; a guard keeps showing the locked prose and schemas, and blocks the rest.",
      "breaking: only what breaks callers counts; a guard blocks what is not proven compatible and hints of more power, and passes the rest, including changed prose.",
    ].join(" "),
  );
const failOn = z
  .enum(LEVELS)
  .describe(
    "The lowest level that counts as a difference. Default: warning in the preset strict, error in the others.",
  );
const check = z
  .enum(CHECK_DECISIONS)
  .describe("What a check does with the rule's findings: omit them, or report them at this level.");
const guard = z
  .enum(GUARD_DECISIONS)
  .describe(
    "What a guard does: pass shows clients the current state, freeze the locked one; ask makes a person agree to each call; block refuses every call.",
  );
const rules = z
  .record(z.string(), z.union([check, z.strictObject({ check: check.optional(), guard: guard.optional() })]))
  .describe("Decisions by the ids of rules: a level for checks, or check and guard. agentprint rules lists the ids.");

const ignore = z
  .strictObject({
    rule: z.string().describe("The id of the rule."),
    server: z.string().optional().describe("Only findings of this server, by its name in the lock."),
    tool: z.string().optional().describe("Only findings about this tool."),
    path: z.string().optional().describe("Only findings at this JSON Pointer inside their subject."),
    until: z.iso.date().describe("The last day on which the ignore counts, YYYY-MM-DD in UTC."),
    reason: z.string().min(1).describe("Why the findings are left out."),
  })
  .describe("Findings that a check leaves out until a day; a guard decides as if there were no ignore.");

const callRule = z
  .strictObject({
    deny: z.boolean().optional().describe("No call of the tool goes through."),
    ask: z.boolean().optional().describe("A person must agree to each call of the tool."),
    maxPerMinute: z.int().min(1).optional().describe("The maximum number of calls to the tool per minute."),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "A JSON Schema that the arguments must satisfy. The locked input schema must provably accept everything that it accepts. Next to type string, it may contain path-within and url-host.",
      ),
  })
  .describe("What calls of one tool may do.");

const results = z
  .strictObject({
    screen: z
      .enum(SCREENINGS)
      .optional()
      .describe(
        "What a guard does with a server's messages that contain terminal escapes or invisible characters: off does not look for them, warn reports them, withhold refuses the message.",
      ),
  })
  .describe("How servers' results are treated.");

const server = z
  .strictObject({
    preset: preset.optional(),
    failOn: failOn.optional(),
    rules: rules.optional(),
    calls: z.record(z.string(), callRule).optional().describe("What calls may do, by tool name."),
    results: results.optional(),
  })
  .describe("Different decisions for one server. Its preset replaces the policy's preset and rules.");

/** Matches an identity without a `*`, or one whose Git reference ends in a `*`. */
const IDENTITY =
  /^[^\s*\p{Cc}]{1,1000}$|^https:\/\/[^\s*@\p{Cc}]{1,1000}@refs\/(?:heads|tags)\/[^\s*\p{Cc}]{0,200}\*$/u;

const identity = z.strictObject({
  identity: z
    .string()
    .regex(IDENTITY, "an address, in which * may only end the Git reference after @refs/heads/ or @refs/tags/")
    .describe("The subject alternative name of the certificate. A * can match the rest of a Git reference."),
  issuer: z
    .string()
    .regex(/^https:\/\/[^\s\p{Cc}]{1,1000}$/u, "an address with https")
    .describe("The address of the service that proves the identity, as in the certificate."),
});

const sigstore = z
  .strictObject({
    trustedRoot: z
      .string()
      .regex(new RegExp(BELOW_FOLDER, "u"), "a path below the folder of the lock")
      .describe("The trusted root of the Sigstore instance: a path below the folder of the lock."),
    identities: z.array(identity).min(1).max(MAX_KEYS).describe("The identities that may sign."),
  })
  .describe("Who may sign with Sigstore, without a key.");

const statement = z
  .strictObject({
    from: z
      .string()
      .regex(STATEMENT_PLACE, "a path below the folder of the lock, or an https address")
      .optional()
      .describe(
        "Where the statement is: a path below the lock's folder, or an https address. Default: agentprint.statement.json in the package of the launch, or below /.well-known/ at its address.",
      ),
    keys: z
      .array(z.string().regex(new RegExp(PUBLIC_KEY), "an Ed25519 key as SubjectPublicKeyInfo in Base64"))
      .min(1)
      .max(MAX_KEYS)
      .optional()
      .describe("The public Ed25519 keys that may sign, each as the Base64 text of its PEM file."),
    sigstore: sigstore.optional(),
    required: z.boolean().optional().describe("Whether a server without a statement is a difference. Default: false."),
    accept: z
      .literal("patch")
      .optional()
      .describe(
        "patch: if the statement is valid, a check passes schemas that are proven compatible and add no words. Never other changes of texts, names, tools, hints or free-text parameters.",
      ),
  })
  .refine(({ keys, sigstore }) => keys !== undefined || sigstore !== undefined, {
    path: ["keys"],
    message: "keys, or identities of sigstore",
  })
  .meta({
    description: "Who may sign statements about a server, and what a verified one allows.",
    anyOf: ["keys", "sigstore"].map((name) => ({ type: "object", properties: { [name]: {} }, required: [name] })),
  });

/** The shape of a policy file. Editors show the descriptions. */
export const PolicySchema: z.ZodType<PolicyDocument> = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds the JSON Schema of this file."),
  preset: preset.optional(),
  failOn: failOn.optional(),
  rules: rules.optional(),
  ignores: z.array(ignore).optional(),
  results: results.optional(),
  servers: z.record(z.string(), server).optional().describe("Decisions for one server, by its name in the lock."),
  statements: z
    .record(z.string(), statement)
    .optional()
    .describe("The author statements that a check verifies, by the names of their servers in the lock."),
  visits: z.unknown().optional(),
  configurations: z.unknown().optional(),
  reviewers: z.unknown().optional(),
});

import { type JudgedChange, type ManifestWarning, SENSITIVITIES, VERDICTS } from "@agentprint/manifest";
import * as z from "zod";
import type {
  Agent,
  AgentPage,
  Consent,
  Diff,
  History,
  Preview,
  Problem,
  PublishAnswer,
  ResetNews,
  Signer,
  StartNews,
  VersionAnswer,
  VersionNews,
  VersionPage,
} from "./answers.ts";

/** The id of an agent: 1 to 128 letters, digits, dots, dashes and underscores. */
export const AgentIdSchema: z.ZodString = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .meta({ description: "The id of an agent.", example: "demo-bot" });

const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of the canonical JSON (RFC 8785) of the manifest." });
const Version = z.int().min(1);
const Time = z.iso.datetime();
const Json = z.unknown();
const Sensitivity = z.enum(SENSITIVITIES);

const Change = z
  .looseObject({
    kind: z.enum(Object.keys(VERDICTS) as [string, ...string[]]),
    path: z.string().meta({ description: "RFC 6901 JSON Pointer into the manifest." }),
    before: Json.optional(),
    after: Json.optional(),
    message: z.object({ en: z.string(), zh: z.string() }),
    weakens_consent: z.boolean(),
    compatibility: z
      .looseObject({ verdict: z.enum(["compatible", "breaking", "unknown"]) })
      .optional()
      .meta({ description: "Whether valid calls stay valid, with a counterexample if one was found." }),
  })
  .meta({ id: "Change" }) as unknown as z.ZodType<JudgedChange>;

const Warning = z.looseObject({ code: z.string(), path: z.string(), message: z.string() }).meta({
  id: "Warning",
  description: "Hints for the author of an accepted manifest.",
}) as unknown as z.ZodType<ManifestWarning>;

const NAME = { agent_id: AgentIdSchema, capability_manifest_version: Version, capability_manifest_hash: Hash };
const CHANGES = {
  breaking_changes: z.array(Change),
  non_breaking_changes: z.array(Change),
  unclassified_changes: z.array(Change),
  weakens_consent: z.boolean(),
};

/** The schema of a {@link PublishAnswer}. */
export const PublishAnswerSchema: z.ZodType<PublishAnswer> = z
  .strictObject({ ...NAME, breaking_changes: z.array(Change) })
  .meta({ id: "PublishAnswer" });

/** The schema of a {@link Preview}. */
export const PreviewSchema: z.ZodType<Preview> = z
  .strictObject({ ...NAME, dry_run: z.literal(true), ...CHANGES, warnings: z.array(Warning) })
  .meta({ id: "Preview" });

const AgentItem = z.strictObject({ ...NAME, created_at: Time, updated_at: Time });

/** The schema of an {@link Agent}. */
export const AgentSchema: z.ZodType<Agent> = z
  .strictObject({ ...AgentItem.shape, warnings: z.array(Warning) })
  .meta({ id: "Agent" });

/** The schema of an {@link AgentPage}. */
export const AgentPageSchema: z.ZodType<AgentPage> = z
  .strictObject({ agents: z.array(AgentItem), next: AgentIdSchema.nullable() })
  .meta({ id: "AgentPage" });

const VersionItem = z.strictObject({
  ...NAME,
  breaking_changes: z.array(Change),
  weakens_consent: z.boolean(),
  key_id: z.string(),
  created_at: Time,
});

/** The schema of a {@link VersionPage}. */
export const VersionPageSchema: z.ZodType<VersionPage> = z
  .strictObject({ versions: z.array(VersionItem), next: Version.nullable() })
  .meta({ id: "VersionPage" });

/** Returns the schema of a {@link VersionAnswer} whose manifest has the schema `manifest`. */
export function versionAnswerSchema(manifest: z.ZodType): z.ZodType<VersionAnswer> {
  return z.strictObject({ ...VersionItem.shape, warnings: z.array(Warning), manifest }).meta({ id: "Version" });
}

/** The schema of a {@link Diff}. */
export const DiffSchema: z.ZodType<Diff> = z
  .strictObject({ agent_id: AgentIdSchema, from: Version, to: Version, ...CHANGES })
  .meta({ id: "Diff" });

/** The schema of a {@link Consent}. */
export const ConsentSchema: z.ZodType<Consent> = z
  .strictObject({
    agent_id: AgentIdSchema,
    accepted: Version.nullable().meta({ description: "Null for a user who is about to add the agent." }),
    present: Version,
    review: z.boolean().meta({ description: "Whether a version since the accepted one has breaking changes." }),
    scopes: z.array(
      z.strictObject({
        id: z.string(),
        label_i18n_key: z.string(),
        sensitivity: Sensitivity.meta({
          description: "The highest of the declared, the standard and the accepted sensitivity.",
        }),
        declared_sensitivity: Sensitivity,
        accepted_sensitivity: Sensitivity.nullable(),
        ask: z.enum(["never", "once", "first_use", "every_call"]).meta({
          description: "never: the user accepted it, or permits it by adding the agent; once: before the first call.",
        }),
        asked_anew: z
          .boolean()
          .meta({ description: "Whether the user is asked for more than when the version was accepted." }),
        tools: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "Consent" });

/** The schema of a {@link History}. */
export const HistorySchema: z.ZodType<History> = z
  .strictObject({
    agent_id: AgentIdSchema,
    task_id: z.string(),
    origin: z.string().meta({ description: "The origin that the checkpoint must have." }),
    verifier_key: z.string().meta({ description: "The registry's public key, in the signed-note format." }),
    checkpoint: z.string().nullable().meta({ description: "The newest signed checkpoint (C2SP tlog-checkpoint)." }),
    entries: z.array(
      z.strictObject({
        version: Version,
        record: z.looseObject({ id: z.string(), content: z.string(), prev_hash: z.string(), hash: z.string() }),
        proof: z
          .strictObject({ index: z.int(), size: z.int(), hashes: z.array(z.string()) })
          .nullable()
          .meta({ description: "Inclusion proof in the tree of the checkpoint; null if the record is newer." }),
      }),
    ),
    next: Version.nullable(),
  })
  .meta({ id: "History" });

/** The schema of a {@link Signer}. */
export const SignerSchema: z.ZodType<Signer> = z
  .strictObject({
    verifier_key: z.string().meta({ description: "The registry's public key, in the signed-note format." }),
    successions: z
      .array(z.string())
      .meta({ description: "A note for each rotation of the key, oldest first; both keys signed it." }),
  })
  .meta({ id: "Signer" });

/** The schema of a {@link Problem}. */
export const ProblemSchema: z.ZodType<Problem> = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    errors: z
      .array(
        z.looseObject({
          code: z.string(),
          detail: z.string(),
          pointer: z.string().optional(),
          parameter: z.string().optional(),
          line: z.int().optional(),
          column: z.int().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Problem", description: "An error (RFC 9457)." }) as unknown as z.ZodType<Problem>;

/** The schema of {@link VersionNews}. */
export const VersionNewsSchema: z.ZodType<VersionNews> = z.strictObject({
  ...NAME,
  breaking_changes: z.array(Change),
  weakens_consent: z.boolean(),
  created_at: Time,
});

/** The schema of {@link ResetNews}. */
export const ResetNewsSchema: z.ZodType<ResetNews> = z.strictObject({
  agent_id: AgentIdSchema,
  capability_manifest_version: z.int().min(0),
});

/** The schema of {@link StartNews}. */
export const StartNewsSchema: z.ZodType<StartNews> = z.strictObject({ versions: z.array(ResetNewsSchema) });

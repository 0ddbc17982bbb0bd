import { manifestJsonSchema, SENSITIVITIES, VERDICTS } from "@agentprint/manifest";
import * as z from "zod";

const AGENT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const POSITIVE = /^[1-9][0-9]{0,8}$/;
const NOT_NEGATIVE = /^(?:0|[1-9][0-9]{0,8})$/;
const PAGE = /^(?:[1-9][0-9]?|100)$/;
const HISTORY_PAGE = /^(?:[1-9]|1[0-9]|20)$/;

/** The id of an agent. */
export const AgentId = z.string().regex(AGENT_ID).meta({ description: "The id of an agent.", example: "demo-bot" });

const text = (pattern: RegExp, description: string): z.ZodString => z.string().regex(pattern).meta({ description });

const VersionText = text(POSITIVE, "A version, from 1.");

export const AgentParams = z.object({ agent_id: AgentId });
export const VersionParams = z.object({ agent_id: AgentId, version: VersionText });
export const NoParams = z.object({});
export const NoQuery = z.strictObject({});
export const DryRunQuery = z.strictObject({
  dry_run: z.enum(["true", "false"]).optional().meta({ description: "Answer what would happen, and change nothing." }),
});
export const DiffQuery = z.strictObject({ from: VersionText, to: VersionText });
export const ConsentQuery = z.strictObject({ accepted: VersionText });
export const VersionPageQuery = z.strictObject({
  after: text(NOT_NEGATIVE, "The last version of the page before.").optional(),
  limit: text(PAGE, "At most 100; default 100.").optional(),
});
export const HistoryPageQuery = VersionPageQuery.extend({
  limit: text(HISTORY_PAGE, "At most 20; default 20.").optional(),
});
export const AgentPageQuery = z.strictObject({
  after: AgentId.optional(),
  limit: text(PAGE, "At most 100; default 100.").optional(),
});
export const EventsQuery = z.strictObject({
  agent: z
    .union([AgentId, z.array(AgentId).min(1).max(50)])
    .meta({ description: "The agents to hear of, at most 50." }),
});

const Hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of the canonical JSON (RFC 8785) of the manifest." });
const Version = z.int().min(1);
const Time = z.iso.datetime();
const Json = z.unknown();

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
      .meta({ description: "Whether calls that were valid still are, with a counterexample if one was found." }),
  })
  .meta({ id: "Change" });

const Warning = z
  .looseObject({ code: z.string(), path: z.string(), message: z.string() })
  .meta({ id: "Warning", description: "What the author of an accepted manifest should know." });

const Published = {
  agent_id: AgentId,
  capability_manifest_version: Version,
  capability_manifest_hash: Hash,
};

export const PublishAnswer = z
  .strictObject({ ...Published, breaking_changes: z.array(Change) })
  .meta({ id: "PublishAnswer" });

export const Preview = z
  .strictObject({
    ...Published,
    dry_run: z.literal(true),
    breaking_changes: z.array(Change),
    non_breaking_changes: z.array(Change),
    unclassified_changes: z.array(Change),
    weakens_consent: z.boolean(),
    warnings: z.array(Warning),
  })
  .meta({ id: "Preview" });

export const Agent = z
  .strictObject({ ...Published, created_at: Time, updated_at: Time, warnings: z.array(Warning) })
  .meta({ id: "Agent" });

const AgentItem = z.strictObject({ ...Published, created_at: Time, updated_at: Time });
export const AgentPage = z
  .strictObject({ agents: z.array(AgentItem), next: AgentId.nullable() })
  .meta({ id: "AgentPage" });

const VersionItem = z.strictObject({
  ...Published,
  breaking_changes: z.array(Change),
  weakens_consent: z.boolean(),
  key_id: z.string(),
  created_at: Time,
});
export const VersionPage = z
  .strictObject({ versions: z.array(VersionItem), next: Version.nullable() })
  .meta({ id: "VersionPage" });

/** The manifest as its own package describes it, without the reference to the meta-schema, which readers would have to fetch. */
const { $schema: _dialect, ...manifestKeywords } = JSON.parse(
  JSON.stringify(manifestJsonSchema(), (key, value) => (key === "allOf" ? undefined : value)),
);
export const Manifest = z
  .unknown()
  .meta({ id: "CapabilityManifest", override: ({ jsonSchema }) => Object.assign(jsonSchema, manifestKeywords) });

export const VersionAnswer = z
  .strictObject({ ...VersionItem.shape, warnings: z.array(Warning), manifest: Manifest })
  .meta({ id: "Version" });

export const NewAgent = z.strictObject({ agent_id: AgentId, manifest: Manifest }).meta({ id: "NewAgent" });

export const Diff = z
  .strictObject({
    agent_id: AgentId,
    from: Version,
    to: Version,
    breaking_changes: z.array(Change),
    non_breaking_changes: z.array(Change),
    unclassified_changes: z.array(Change),
    weakens_consent: z.boolean(),
  })
  .meta({ id: "Diff" });

const Sensitivity = z.enum(SENSITIVITIES);
export const Consent = z
  .strictObject({
    agent_id: AgentId,
    accepted: Version,
    present: Version,
    review: z.boolean().meta({ description: "Whether a version since the accepted one has breaking changes." }),
    scopes: z.array(
      z.strictObject({
        id: z.string(),
        label_i18n_key: z.string(),
        sensitivity: Sensitivity,
        accepted_sensitivity: Sensitivity.nullable(),
        ask: z.enum(["never", "once", "first_use", "every_call"]),
        asked_anew: z
          .boolean()
          .meta({ description: "Whether the user is asked more than when the version was accepted." }),
        tools: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "Consent" });

export const History = z
  .strictObject({
    agent_id: AgentId,
    task_id: z.string(),
    origin: z.string().meta({ description: "The origin that the checkpoint must have." }),
    verifier_key: z.string().meta({ description: "The public key of the registry, in the form of signed-note." }),
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

export const Problem = z
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
  .meta({ id: "Problem", description: "An error (RFC 9457)." });

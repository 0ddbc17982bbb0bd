import { manifestJsonSchema } from "@agentprint/manifest";
import { AgentIdSchema, versionAnswerSchema } from "@agentprint/registry-api/answers";
import * as z from "zod";

const POSITIVE = /^[1-9][0-9]{0,8}$/;
const NOT_NEGATIVE = /^(?:0|[1-9][0-9]{0,8})$/;
const PAGE = /^(?:[1-9][0-9]?|100)$/;
const HISTORY_PAGE = /^(?:[1-9]|1[0-9]|20)$/;

const text = (pattern: RegExp, description: string): z.ZodString => z.string().regex(pattern).meta({ description });

const VersionText = text(POSITIVE, "A version, from 1.");

export const AgentParams = z.object({ agent_id: AgentIdSchema });
export const VersionParams = z.object({ agent_id: AgentIdSchema, version: VersionText });
export const NoParams = z.object({});
export const NoQuery = z.strictObject({});
export const DryRunQuery = z.strictObject({
  dry_run: z.enum(["true", "false"]).optional().meta({ description: "Return what would happen, and change nothing." }),
});
export const DiffQuery = z.strictObject({ from: VersionText, to: VersionText });
export const ConsentQuery = z.strictObject({
  accepted: text(POSITIVE, "The accepted version; without one, the questions for a new user.").optional(),
});
export const VersionPageQuery = z.strictObject({
  after: text(NOT_NEGATIVE, "The last version of the previous page.").optional(),
  limit: text(PAGE, "At most 100; default 100.").optional(),
});
export const HistoryPageQuery = VersionPageQuery.extend({
  limit: text(HISTORY_PAGE, "At most 20; default 20.").optional(),
});
export const AgentPageQuery = z.strictObject({
  after: AgentIdSchema.optional(),
  limit: text(PAGE, "At most 100; default 100.").optional(),
});
const lang = z.string().max(35).optional().meta({ description: "The language of the page: en or zh." });
export const LanguageQuery = z.strictObject({ lang });
export const AgentsPageQuery = z.strictObject({ after: AgentIdSchema.optional(), lang });
export const TimelineQuery = z.strictObject({
  before: text(POSITIVE, "The last version on the previous page.").optional(),
  lang,
});
export const DiffPageQuery = DiffQuery.extend({ lang });
export const ConsentPageQuery = z.strictObject({
  accepted: text(
    /^(?:[1-9][0-9]{0,8})?$/,
    "The accepted version; without it, the answer is the questions for a new user.",
  ).optional(),
  lang,
});
export const EventsQuery = z.strictObject({
  agent: z
    .union([AgentIdSchema, z.array(AgentIdSchema).min(1).max(50)])
    .meta({ description: "The agents to watch, at most 50." }),
});

/**
 * The manifest schema as its own package defines it, without the reference to the meta-schema, which readers would have
 * to fetch.
 */
const { $schema: _dialect, ...manifestKeywords } = JSON.parse(
  JSON.stringify(manifestJsonSchema(), (key, value) => (key === "allOf" ? undefined : value)),
);
export const Manifest = z
  .unknown()
  .meta({ id: "CapabilityManifest", override: ({ jsonSchema }) => Object.assign(jsonSchema, manifestKeywords) });

export const VersionAnswer = versionAnswerSchema(Manifest);

export const NewAgent = z.strictObject({ agent_id: AgentIdSchema, manifest: Manifest }).meta({ id: "NewAgent" });

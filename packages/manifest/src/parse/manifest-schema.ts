import type { JsonValue } from "@agentprint/canonical-json";
import * as z from "zod";
import type { CapabilityFlag, CapabilityManifest } from "../capability-manifest.ts";
import type { RawIssue } from "../issue.ts";
import { member, show } from "../json.ts";
import { checkInputSchemas } from "../schema/check-input-schemas.ts";
import { SENSITIVITIES } from "../sensitivity.ts";
import { checkReferences } from "./check-references.ts";
import { describeIssue } from "./describe-issue.ts";

const SCHEMA_VERSION = "1.0";
const DRAFT = "https://json-schema.org/draft/2020-12/schema";
/** Semantic Versioning 2.0.0. No two adjacent parts match the same characters, so matching takes linear time. */
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;
const SNAKE_CASE = /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/;

const flag = z.boolean().optional();

function text(description: string): z.ZodString {
  return z
    .string()
    .refine((value) => value !== "")
    .meta({ minLength: 1, description });
}

const Shape = z.strictObject({
  schema_version: z.literal(SCHEMA_VERSION).meta({ description: "Version of the manifest format." }),
  agent_version: z.string().regex(SEMVER).meta({ description: "Semantic version of the agent, kept by its author." }),
  tools: z.array(
    z.strictObject({
      name: z.string().regex(SNAKE_CASE).meta({ description: "snake_case, unique in the manifest." }),
      description_i18n_key: text("i18n key of the text that users read."),
      input_schema: z
        .looseObject({ type: z.literal("object"), additionalProperties: z.literal(false) })
        .meta({ description: "JSON Schema Draft 2020-12 of the arguments.", allOf: [{ $ref: DRAFT }] }),
      permission_scope: text("The id of one of permission_scopes."),
      timeout_ms: z
        .number()
        .refine((value) => Number.isSafeInteger(value) && value > 0)
        .optional()
        .meta({
          type: "integer",
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "Milliseconds; 10000 when absent.",
        }),
    }),
  ),
  permission_scopes: z.array(
    z.strictObject({
      id: text("Unique; <domain>:<action> is suggested."),
      label_i18n_key: text("i18n key of the label that users read."),
      sensitivity: z.enum(SENSITIVITIES).meta({
        description: "low: silent; medium: asked first, then silent for 24 hours; high: asked every time.",
      }),
    }),
  ),
  capability_flags: z.strictObject({
    supports_streaming: flag,
    supports_artifacts: flag,
    supports_voice: flag,
    supports_group_chat: flag,
  } satisfies Record<CapabilityFlag, typeof flag>),
});

/**
 * The zod schema of a Capability Manifest, with every rule that concerns only the manifest itself: shape, unique names,
 * references to scopes, and each `input_schema` against the Draft 2020-12 meta-schema.
 *
 * {@link parseManifest} adds strict JSON, sizes, depth, warnings, and lines and columns.
 *
 * @example
 * ```ts
 * import { CapabilityManifestSchema } from "@agentprint/manifest";
 *
 * const result = CapabilityManifestSchema.safeParse({ schema_version: "2.0" });
 * console.log(result.success); // false
 * ```
 */
export const CapabilityManifestSchema: z.ZodType<CapabilityManifest> = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isOfOtherVersion(value)) return;
    issues.push({ code: "invalid_value", values: [SCHEMA_VERSION], input: value, path: ["schema_version"] });
  })
  .pipe(
    Shape.superRefine(crossCheck, {
      // Problems that concern several fields are reported even if a single field is invalid.
      when: () => true,
    }) as unknown as z.ZodType<CapabilityManifest>,
  ) as unknown as z.ZodType<CapabilityManifest>;

function otherVersion(value: JsonValue): RawIssue {
  const message = `Expected ${JSON.stringify(SCHEMA_VERSION)}, received ${show(member(value, "schema_version"))}`;
  return { code: "UNSUPPORTED_SCHEMA_VERSION", path: ["schema_version"], message };
}

/** Returns whether a document names another version of the format, to which this version's rules do not apply. */
function isOfOtherVersion(value: unknown): boolean {
  const version = member(value, "schema_version");
  return version !== undefined && version !== SCHEMA_VERSION;
}

function crossCheck(manifest: unknown, context: z.RefinementCtx): void {
  for (const { code, path, message } of checkAcross(manifest)) {
    context.addIssue({ code: "custom", params: { code }, path, message });
  }
}

/** Returns the problems that concern several fields, in a value that may have any form. */
function checkAcross(manifest: unknown): RawIssue[] {
  return [...checkReferences(manifest), ...checkInputSchemas(manifest)];
}

/**
 * Returns every issue in a JSON value: the issues from {@link CapabilityManifestSchema}, in its order. `size` holds the
 * issue for a manifest that is too large. A document in another version of the format has only the issue that says so.
 * The two parts run one after the other here, because `superRefine` keeps every value that it sees in memory longer,
 * which slows down garbage collection.
 */
export function checkManifest(value: JsonValue, size: readonly RawIssue[]): RawIssue[] {
  if (isOfOtherVersion(value)) return [otherVersion(value)];
  const result = Shape.safeParse(value);
  const fields = result.success ? [] : result.error.issues.flatMap((issue) => describeIssue(issue, value));
  return [...size, ...fields, ...checkAcross(value)];
}

/**
 * Returns the JSON Schema (Draft 2020-12) of a Capability Manifest for editors; also published as the file
 * `@agentprint/manifest/capability-manifest.schema.json`. JSON Schema cannot express that names are unique or that
 * referenced scopes exist.
 *
 * @example
 * ```ts
 * import { manifestJsonSchema } from "@agentprint/manifest";
 *
 * console.log(manifestJsonSchema()["$schema"]); // "https://json-schema.org/draft/2020-12/schema"
 * ```
 */
export function manifestJsonSchema(): { readonly [keyword: string]: unknown } {
  const { $schema, ...keywords } = z.toJSONSchema(Shape, { target: "draft-2020-12" });
  return { $schema, title: "Capability Manifest", ...keywords };
}

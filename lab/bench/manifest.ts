import { createHash } from "node:crypto";
import {
  addCompatibility,
  type CapabilityManifest,
  diffManifests,
  hashManifest,
  parseManifest,
} from "@agentprint/manifest";
import { Ajv2020 } from "ajv/dist/2020.js";
import rfc8785 from "canonicalize";
import deepDiff from "deep-diff";
import { z } from "zod";
import { manifest as corpus } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Tool = { input_schema: { properties: { [name: string]: Json }; required: string[] } } & { [field: string]: Json };

/** Returns a valid manifest of just under 128 KB, with the corpus's schemas. */
function manifest(): { agent_version: string; tools: Tool[] } {
  const { tools, ...rest } = structuredClone(corpus()) as { tools: Tool[]; [field: string]: Json };
  const valid = tools.map(({ input_schema: { properties, required }, ...tool }) => ({
    ...tool,
    input_schema: { type: "object", properties, required, additionalProperties: false },
  }));
  return { agent_version: "1.4.2", ...rest, tools: valid as Tool[] };
}

/**
 * Returns the next version, with one tool removed, one added, three whose texts differ, and one with one more argument.
 */
function nextVersion(): ReturnType<typeof manifest> {
  const { tools, ...rest } = manifest();
  const [first, ...others] = tools as [Tool, ...Tool[]];
  for (const tool of others.slice(10, 13)) tool["description_i18n_key"] = `${tool["description_i18n_key"]}.short`;
  const [changed] = others as [Tool];
  changed.input_schema.properties["dryRun"] = { type: "boolean" };
  return { ...rest, agent_version: "1.5.0", tools: [...others, { ...structuredClone(first), name: "copy_file" }] };
}

/** The shape of a manifest as a team would write it by hand; it does not check nested JSON Schemas. */
const Naive = z.strictObject({
  schema_version: z.literal("1.0"),
  agent_version: z.string().regex(/^\d+\.\d+\.\d+$/),
  tools: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-z0-9_]*$/),
      description_i18n_key: z.string().min(1),
      input_schema: z.looseObject({ type: z.literal("object"), additionalProperties: z.literal(false) }),
      permission_scope: z.string().min(1),
      timeout_ms: z.int().positive().optional(),
    }),
  ),
  permission_scopes: z.array(
    z.strictObject({
      id: z.string().min(1),
      label_i18n_key: z.string().min(1),
      sensitivity: z.enum(["low", "medium", "high"]),
    }),
  ),
  capability_flags: z.strictObject({
    supports_streaming: z.boolean().optional(),
    supports_artifacts: z.boolean().optional(),
    supports_voice: z.boolean().optional(),
    supports_group_chat: z.boolean().optional(),
  }),
});

/** Checks that JSON Schemas are valid, as the specification requires; the handwritten shape does not check this. */
const meta = new Ajv2020({ strict: false, validateFormats: false });

function naive(text: string, checked = false): { readonly value: object; readonly hash: string } {
  const value = Naive.parse(JSON.parse(text));
  if (checked && !value.tools.every((tool) => meta.validateSchema(tool.input_schema))) throw new Error("not a schema");
  const hash = createHash("sha256").update(rfc8785(value) as string);
  return { value, hash: hash.digest("hex") };
}

function naiveDiff(texts: readonly [string, string], checked: boolean): string {
  const [before, after] = [naive(texts[0], checked), naive(texts[1], checked)];
  if (deepDiff.diff(before.value, after.value) === undefined) throw new Error("not what changed");
  return `${before.hash},${after.hash}`;
}

function ours(text: string): { readonly value: CapabilityManifest; readonly hash: string } {
  const parsed = parseManifest(text);
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  return { value: parsed.manifest, hash: hashManifest(parsed.manifest) };
}

function diff(texts: readonly [string, string], isJudged: boolean): string {
  const [before, after] = [ours(texts[0]), ours(texts[1])];
  const changes = diffManifests(before.value, after.value);
  const { breaking } = isJudged ? addCompatibility(changes) : changes;
  if (breaking.length !== 2) throw new Error("not what changed");
  return `${before.hash},${after.hash}`;
}

/**
 * Compares the work that a registry does for a new version with the libraries that a team would combine for the same
 * task.
 */
export const manifestSuite: Suite = {
  title: "Parse, hash and diff two manifests of 128 KB (JSON.parse + zod + canonicalize@5.1.0 + deep-diff = 1)",
  comparisons: () => [
    () => {
      const texts = [manifest(), nextVersion()].map((version) => JSON.stringify(version)) as [string, string];
      const hashes = texts.map((text) => naive(text).hash).join();
      return {
        name: "two versions, 128 KB each",
        reference: "naive",
        ours: "agentprint",
        bar: 1.5,
        isCorrect: (output) => output === hashes,
        contenders: {
          agentprint: () => diff(texts, false),
          // Only this contender can tell whether valid calls stay valid, so it is shown without a bar.
          "agentprint, changed schemas judged": () => diff(texts, true),
          naive: () => naiveDiff(texts, false),
          "naive, schemas checked with ajv": () => naiveDiff(texts, true),
        },
      } satisfies Comparison;
    },
  ],
};

import { printable } from "@agentprint/canonical-json/text";
import {
  addCompatibility,
  type CapabilityManifest,
  diffManifests,
  hashManifest,
  type JudgedChange,
  parseManifest,
} from "@agentprint/manifest";
import * as z from "zod";
import { McpServerError } from "../errors.ts";
import { jsonObject } from "./arguments.ts";
import { defineTool, READS } from "./tool.ts";

/**
 * The number of steps in which the schemas of one diff are compared: about a tenth of a second, during which no other
 * call is answered.
 */
const MAX_STEPS = 200_000;

const Place = z.object({
  code: z.string(),
  path: z.string().describe("JSON Pointer into the manifest."),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
});

/** `capability_manifest_validate`: returns a manifest's problems. */
export const capabilityManifestValidate = defineTool({
  name: "capability_manifest_validate",
  title: "Validate a capability manifest",
  description:
    "Reports every problem of a capability manifest with its JSON Pointer, and the hash of one that is valid.",
  input: z.strictObject({ manifest: jsonObject("The manifest") }),
  output: z.object({
    valid: z.boolean(),
    hash: z.string().nullable().describe("SHA-256 of the canonical manifest; null for one that is not valid."),
    issues: z.array(Place),
    warnings: z.array(Place),
  }),
  annotations: READS,
  run: ({ manifest }) => {
    const parsed = parseManifest(manifest);
    const content = parsed.ok
      ? { valid: true, hash: hashManifest(parsed.manifest), issues: [], warnings: parsed.warnings }
      : { valid: false, hash: null, issues: parsed.issues, warnings: [] };
    const lines = [...content.issues, ...content.warnings].map(
      ({ code, path, message }) => `${code} ${path} ${message}`,
    );
    const summary = content.valid ? `The manifest is valid: ${content.hash}` : "The manifest is not valid.";
    return { content, text: [summary, ...lines].join("\n") };
  },
});

const ChangeSchema = z.looseObject({
  kind: z.string(),
  path: z.string().describe("JSON Pointer into the later manifest, or into the earlier one if the value was removed."),
  message: z.object({ en: z.string(), zh: z.string() }),
  weakens_consent: z
    .boolean()
    .describe("Whether users are asked less, or for something different from what they agreed to."),
  compatibility: z
    .looseObject({
      verdict: z.enum(["compatible", "breaking", "unknown"]),
      counterexample: z
        .looseObject({ value: z.unknown(), acceptedBy: z.enum(["before", "after"]) })
        .optional()
        .describe("Arguments that one of the schemas accepts and the other refuses."),
    })
    .optional()
    .describe("Of a changed input schema: whether the calls that were valid still are."),
});

/** `capability_manifest_diff`: returns the changes between two manifests. */
export const capabilityManifestDiff = defineTool({
  name: "capability_manifest_diff",
  title: "Compare capability manifests",
  description:
    "Lists every change between two capability manifests: breaking, non-breaking, and those that no list names. " +
    "A changed input schema that refuses calls that were valid has one of these as a counterexample.",
  input: z.strictObject({
    before: jsonObject("The manifest before"),
    after: jsonObject("The manifest after"),
  }),
  output: z.object({
    before_hash: z.string(),
    after_hash: z.string(),
    breaking: z.array(ChangeSchema),
    non_breaking: z.array(ChangeSchema),
    unclassified: z.array(ChangeSchema),
  }),
  annotations: READS,
  run: (input) => {
    const before = readManifest("before", input.before);
    const after = readManifest("after", input.after);
    const diff = addCompatibility(diffManifests(before, after), { maxSteps: MAX_STEPS });
    const { breaking, nonBreaking, unclassified } = diff;
    const lines = (name: string, changes: readonly JudgedChange[]): string[] =>
      changes.map(({ message, weakens_consent, compatibility }) => {
        const { counterexample } = compatibility ?? {};
        const consent = weakens_consent ? " (weakens consent)" : "";
        const example = counterexample ? `, for example ${printable(JSON.stringify(counterexample.value))}` : "";
        return `${name}: ${message.en}${consent}${example}`;
      });
    const text = [
      ...lines("breaking", breaking),
      ...lines("non-breaking", nonBreaking),
      ...lines("unclassified", unclassified),
    ];
    const hashes = { before_hash: hashManifest(before), after_hash: hashManifest(after) };
    return {
      content: { ...hashes, breaking, non_breaking: nonBreaking, unclassified },
      text: text.length > 0 ? text.join("\n") : "The manifests have the same hash.",
    };
  },
});

/**
 * Reads a manifest.
 *
 * @throws {@link McpServerError} `INVALID_ARGUMENT` naming the first problem of an invalid manifest.
 */
function readManifest(name: string, argument: unknown): CapabilityManifest {
  const parsed = parseManifest(argument);
  if (parsed.ok) return parsed.manifest;
  const [issue] = parsed.issues;
  const message = `the manifest at /${name} is not valid: ${issue?.code} at ${JSON.stringify(issue?.path)}: ${issue?.message}`;
  throw new McpServerError("INVALID_ARGUMENT", message);
}

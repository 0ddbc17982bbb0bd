import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Level } from "@agentprint/findings";
import type { CheckDecision, GuardDecision } from "./decisions.ts";

/** The names of the presets. `strict` is the strictest, `breaking` the least strict. */
export const PRESET_NAMES: readonly PresetName[] = /* @__PURE__ */ Object.freeze(["strict", "compatible", "breaking"]);

/** One of {@link PRESET_NAMES}. */
export type PresetName = "strict" | "compatible" | "breaking";

/** The decisions of a preset. */
export interface Preset {
  /** The lowest level that counts as a difference if the policy names none. */
  readonly failOn: Level;
  /**
   * Decisions by rule id. A finding of another rule keeps its level in a check; a guard passes it if it is a remark and
   * otherwise blocks it. The same applies if `check` is absent.
   */
  readonly rules: Readonly<Record<string, { readonly check?: CheckDecision; readonly guard: GuardDecision }>>;
}

/**
 * Differences that a guard passes in every preset, because a guard compares the bytes of one version and never two
 * entries, no outcome depends on a list of protocol versions, and a guard sends no token if a login has moved.
 */
const PASSED = {
  "mcp/supported-versions-changed": { guard: "pass" },
  "mcp/artifact-version-changed": { guard: "pass" },
  "mcp/artifact-file-added": { guard: "pass" },
  "auth/scopes-narrowed": { guard: "pass" },
  "auth/metadata-changed": { guard: "pass" },
  "mcp/varies-changed": { guard: "pass" },
  "mcp/sessions-changed": { guard: "pass" },
  "mcp/entry-changed": { guard: "pass" },
} as const;

/**
 * The presets. Each rule that a preset names is less strict than in `strict`, or, in `compatible`, is an error although
 * its finding is a warning.
 *
 * @example
 * ```ts
 * import { PRESETS } from "@agentprint/policy";
 *
 * console.log(PRESETS.compatible.rules["mcp/tool-prose-changed"]); // { check: "warning", guard: "freeze" }
 * console.log(PRESETS.breaking.failOn); // error
 * ```
 */
export const PRESETS: Readonly<Record<PresetName, Preset>> = /* @__PURE__ */ deepFreeze({
  strict: { failOn: "warning", rules: PASSED },
  compatible: {
    failOn: "error",
    rules: {
      ...PASSED,
      "mcp/schema-compatible": { check: "warning", guard: "freeze" },
      "mcp/input-widened": { check: "error", guard: "freeze" },
      "mcp/free-text-added": { check: "error", guard: "freeze" },
      "mcp/anything-added": { check: "error", guard: "freeze" },
      "mcp/values-widened": { check: "error", guard: "freeze" },
      "mcp/tool-prose-changed": { check: "warning", guard: "freeze" },
      "mcp/server-version-changed": { check: "warning", guard: "freeze" },
      "mcp/item-added": { check: "warning", guard: "block" },
      "mcp/hint-default-written": { check: "warning", guard: "freeze" },
      "mcp/tool-rest-changed": { check: "error", guard: "block" },
      "mcp/item-changed": { check: "error", guard: "block" },
      "mcp/client-changed": { check: "error", guard: "block" },
      "mcp/client-capabilities-changed": { check: "error", guard: "block" },
    },
  },
  breaking: {
    failOn: "error",
    rules: {
      ...PASSED,
      "mcp/schema-compatible": { check: "note", guard: "pass" },
      "mcp/input-widened": { check: "note", guard: "pass" },
      "mcp/free-text-added": { check: "note", guard: "pass" },
      "mcp/anything-added": { check: "note", guard: "pass" },
      "mcp/values-widened": { check: "note", guard: "pass" },
      "mcp/tool-prose-changed": { check: "note", guard: "pass" },
      "mcp/prose-signal": { check: "note", guard: "pass" },
      "mcp/hint-less-asking": { check: "note", guard: "pass" },
      "mcp/hint-default-written": { check: "note", guard: "pass" },
      "mcp/tool-hints-changed": { check: "note", guard: "pass" },
      "mcp/tool-rest-changed": { check: "note", guard: "pass" },
      "mcp/item-added": { check: "note", guard: "pass" },
      "mcp/server-changed": { check: "note", guard: "pass" },
      "mcp/server-version-changed": { check: "note", guard: "pass" },
      "mcp/client-changed": { check: "note", guard: "pass" },
      "mcp/client-capabilities-changed": { check: "note", guard: "pass" },
    },
  },
});

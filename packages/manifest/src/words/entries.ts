import { CAPABILITY_FLAGS, type CapabilityFlag, type CapabilityManifest } from "../capability-manifest.ts";
import { checkArgument } from "../check-argument.ts";
import type { Language } from "./language.ts";

/** A control in a client's conversation that is shown only if the agent declares a capability. */
export interface CapabilityEntry {
  readonly flag: CapabilityFlag;
  /** The control's name in the user's language. */
  readonly label: string;
}

/** The control that is shown for each flag. */
const ENTRY_LABELS: Readonly<Record<Language, Readonly<Record<CapabilityFlag, string>>>> = {
  en: {
    supports_streaming: "Replies as they are written",
    supports_artifacts: "Artifact panel",
    supports_voice: "Voice button",
    supports_group_chat: "Add to a group",
  },
  zh: {
    supports_streaming: "流式回复",
    supports_artifacts: "Artifact 编辑面板",
    supports_voice: "语音键",
    supports_group_chat: "加入群聊",
  },
};

/**
 * Returns the controls that a client shows for an agent, in the specification's order: one for each flag that is
 * `true`.
 *
 * @example
 * ```ts
 * import { capabilityEntries } from "@agentprint/manifest";
 *
 * const flags = { supports_voice: true, supports_artifacts: false };
 * console.log(capabilityEntries({ capability_flags: flags }, "en")[0]?.label); // "Voice button"
 * ```
 */
export function capabilityEntries(
  manifest: Pick<CapabilityManifest, "capability_flags">,
  language: Language,
): CapabilityEntry[] {
  checkArgument("manifest", manifest, { capability_flags: "object" });
  const { capability_flags } = manifest;
  return CAPABILITY_FLAGS.filter((flag) => capability_flags[flag] === true).map((flag) => ({
    flag,
    label: ENTRY_LABELS[language][flag],
  }));
}

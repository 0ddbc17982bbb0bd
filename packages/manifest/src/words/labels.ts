import type { ManifestTool, PermissionScope } from "../capability-manifest.ts";
import { checkArgument } from "../check-argument.ts";
import type { ClientTexts, Language } from "./language.ts";

/** The labels of the four standard scopes, by language and id. */
const STANDARD_SCOPE_LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = Object.freeze({
  en: Object.freeze({
    "notification:send": "Send notifications",
    "filesystem:read": "Read local files",
    "clipboard:read": "Read the clipboard",
    "location:read": "Read the location",
  }),
  zh: Object.freeze({
    "notification:send": "发送通知",
    "filesystem:read": "读取本地文件",
    "clipboard:read": "读取剪贴板",
    "location:read": "读取位置",
  }),
});

/**
 * Returns the label that users see for a scope: the standard scope's label, or else the client's text for the i18n key,
 * the key itself, or the id. A manifest cannot give a standard scope a different label. The result may contain any
 * character.
 *
 * @example
 * ```ts
 * import { scopeLabel } from "@agentprint/manifest";
 *
 * console.log(scopeLabel({ id: "location:read", label_i18n_key: "games.play" }, "zh")); // "读取位置"
 * console.log(scopeLabel({ id: "notes:read", label_i18n_key: "scopes.notes" }, "en")); // "scopes.notes"
 * ```
 */
export function scopeLabel(
  scope: Pick<PermissionScope, "id" | "label_i18n_key">,
  language: Language,
  texts: ClientTexts = {},
): string {
  checkArgument("scope", scope, { id: "string", label_i18n_key: "string" });
  checkArgument("texts", texts, "object");
  const { id, label_i18n_key } = scope;
  return own(STANDARD_SCOPE_LABELS[language], id) ?? textOf(label_i18n_key, texts) ?? id;
}

/**
 * Returns the description that users see for a tool: the client's text for the i18n key, or else the key itself or the
 * tool's name. The result may hold any character.
 *
 * @example
 * ```ts
 * import { toolDescription } from "@agentprint/manifest";
 *
 * const tool = { name: "fetch_web_page", description_i18n_key: "agent.tools.fetch_web.desc" };
 * console.log(toolDescription(tool)); // "agent.tools.fetch_web.desc"
 * console.log(toolDescription(tool, { "agent.tools.fetch_web.desc": "Reads a web page" })); // "Reads a web page"
 * ```
 */
export function toolDescription(
  tool: Pick<ManifestTool, "name" | "description_i18n_key">,
  texts: ClientTexts = {},
): string {
  checkArgument("tool", tool, { name: "string", description_i18n_key: "string" });
  checkArgument("texts", texts, "object");
  const { name, description_i18n_key } = tool;
  return textOf(description_i18n_key, texts) ?? name;
}

function textOf(key: string, texts: ClientTexts): string | undefined {
  return own(texts, key) ?? (key.trim() === "" ? undefined : key);
}

function own(texts: ClientTexts, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

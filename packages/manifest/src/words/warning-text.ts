import { checkArgument } from "../check-argument.ts";
import type { ManifestWarning, ManifestWarningCode } from "../issue.ts";
import type { Language } from "./language.ts";

/** The Chinese sentence for each warning, to which its place is appended. */
const CHINESE: Readonly<Record<ManifestWarningCode, string>> = {
  CONFUSABLE_SCOPE_ID: "权限 id 含有不可见或非 ASCII 的字符,或与某个标准权限相似,但并非同一权限",
  INPUT_SCHEMA_INVALID_PATTERN: "pattern 不是有效的正则表达式",
  INPUT_SCHEMA_REF_CYCLE: "$ref 指回自身,校验无法结束",
  INPUT_SCHEMA_REMOTE_REF: "$ref 指向清单之外,不会被获取",
  INPUT_SCHEMA_UNRESOLVED_REF: "$ref 没有指向任何内容",
  MANIFEST_LARGE: "清单的规范化 JSON 不小于 64 KB:请减少工具,并用 oneOf 合并相似的工具",
  STANDARD_SCOPE_WEAKENED: "标准权限声明的敏感度低于客户端的标准敏感度",
  TOO_MANY_WARNINGS: "还有更多警告未列出",
  UNAVAILABLE_CAPABILITY: "规范第 1 版的客户端尚未实装语音",
  UNUSUAL_SCOPE_ID: "权限 id 不是规范建议的 <domain>:<action> 形式",
};

/**
 * Returns a warning in the reader's language: in English its message, and in Chinese a sentence with its place.
 *
 * @example
 * ```ts
 * import { warningText } from "@agentprint/manifest";
 *
 * const warning = { code: "UNUSUAL_SCOPE_ID", path: "/permission_scopes/0/id", message: "The specification suggests …" } as const;
 * console.log(warningText(warning, "zh")); // "权限 id 不是规范建议的 <domain>:<action> 形式(/permission_scopes/0/id)"
 * ```
 */
export function warningText(warning: ManifestWarning, language: Language): string {
  checkArgument("warning", warning, "object");
  const { code, path, message } = warning;
  if (language === "en" || !Object.hasOwn(CHINESE, code)) return message;
  return path === "" ? CHINESE[code] : `${CHINESE[code]}(${path})`;
}

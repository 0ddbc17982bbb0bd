import type { Finding } from "@agentprint/findings";
import { checkArgument } from "../check-argument.ts";
import type { ParsedManifest } from "../parse/parse-manifest.ts";
import { ISSUE_RULES } from "./issue-rules.ts";
import { WARNING_RULES } from "./warning-rules.ts";

const RULES = { ...ISSUE_RULES, ...WARNING_RULES };

/**
 * Returns the findings about a manifest: the reasons to refuse it, or the warnings about it.
 *
 * @param file The file name to show to readers.
 * @example
 * ```ts
 * import { parseManifest } from "@agentprint/manifest";
 * import { validationFindings } from "@agentprint/manifest/rules";
 *
 * console.log(validationFindings("manifest.json", parseManifest("{"))[0]?.rule); // manifest/INVALID_JSON
 * ```
 */
export function validationFindings(
  file: string,
  parsed: Pick<Extract<ParsedManifest, { ok: true }>, "ok" | "warnings"> | Extract<ParsedManifest, { ok: false }>,
): Finding[] {
  checkArgument("file", file, "string");
  checkArgument("parsed", parsed, { [parsed?.ok ? "warnings" : "issues"]: "array" });
  return (parsed.ok ? parsed.warnings : parsed.issues).map(({ code, message, path, line, column }) => {
    const rule = `manifest/${code}` as const;
    const location = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    return {
      rule,
      level: RULES[rule].level,
      message: `${message} (${code})`,
      place: { subject: file, pointer: path, location },
    };
  });
}

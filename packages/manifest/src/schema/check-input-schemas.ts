import { isJsonObject } from "@agentprint/canonical-json";
import type { RawIssue } from "../issue.ts";
import { listOf, member } from "../json.ts";
import { MAX_LISTED } from "../limits.ts";
import { checkSchema } from "./check-schema.ts";

/**
 * Returns the violations of JSON Schema Draft 2020-12 in each tool's `input_schema`, up to one more issue than can be
 * listed.
 */
export function checkInputSchemas(manifest: unknown): RawIssue[] {
  const issues: RawIssue[] = [];
  for (const [index, tool] of listOf(manifest, "tools").entries()) {
    const schema = member(tool, "input_schema");
    if (!isJsonObject(schema)) continue;
    for (const issue of checkSchema(schema, ["tools", index, "input_schema"], MAX_LISTED + 1 - issues.length)) {
      issues.push(issue);
    }
    if (issues.length > MAX_LISTED) break;
  }
  return issues;
}

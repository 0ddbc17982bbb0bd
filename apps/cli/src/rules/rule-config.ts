import { existsSync } from "node:fs";
import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { Finding, FindingLevel, Report } from "@agentprint/report";
import { z } from "zod";
import { type InputContext, pathIn } from "../context.ts";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";
import { CONFIGURABLE } from "./all-rules.ts";

/** Read from the working directory when it is there. */
const DEFAULT_CONFIG = "agentprint.config.json";

const ConfigSchema = z.strictObject({
  rules: z.record(z.string(), z.enum(["error", "warning", "note", "off"])).default({}),
  ignores: z
    .array(
      z.strictObject({
        rule: z.string(),
        path: z.string().optional(),
        until: z.iso.date(),
        reason: z.string().min(1),
      }),
    )
    .default([]),
});

/** Levels of rules, and findings that are ignored until a day. */
export interface RuleConfig {
  readonly rules: Readonly<Record<string, FindingLevel | "off">>;
  readonly ignores: readonly Ignore[];
}

interface Ignore {
  readonly rule: string;
  /** JSON Pointer; without it the rule is ignored everywhere. */
  readonly path?: string | undefined;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC. */
  readonly until: string;
  readonly reason: string;
}

/**
 * The configuration that a command goes by.
 *
 * @throws {CliError} `invalid-config`
 */
export async function readRuleConfig(context: InputContext, file: string | undefined): Promise<RuleConfig> {
  if (file === undefined && !existsSync(pathIn(context, DEFAULT_CONFIG))) return { rules: {}, ignores: [] };
  const name = file ?? DEFAULT_CONFIG;
  const result = ConfigSchema.safeParse(parse(await readInput(context, name, 1024 * 1024), name));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw invalid(`${name} at /${issue?.path.map(String).join("/")}`, issue?.message ?? "not a configuration");
  }
  const { rules, ignores } = result.data;
  for (const id of [...Object.keys(rules), ...ignores.map(({ rule }) => rule)]) {
    if (!CONFIGURABLE.has(id))
      throw invalid(name, `no rule ${id} can be configured`, "see the rules with agentprint rules");
  }
  return { rules, ignores };
}

/**
 * A report by the levels of a configuration, without what it ignores today.
 *
 * @param failOn The lowest level that counts as a difference.
 * @param today `YYYY-MM-DD` in UTC.
 */
export function applyRuleConfig(
  report: Report,
  { rules, ignores }: RuleConfig,
  failOn: "error" | "warning",
  today: string = new Date().toISOString().slice(0, 10),
): Report {
  const findings = report.findings.flatMap((finding): Finding[] => {
    const level = Object.hasOwn(rules, finding.ruleId) ? rules[finding.ruleId] : finding.level;
    if (level === undefined || level === "off") return [];
    const matching = ignores.filter((ignore) => isAbout(ignore, finding));
    if (matching.some(({ until }) => until >= today)) return [];
    const [expired] = matching;
    if (expired === undefined) return [{ ...finding, level }];
    const over = `ignored until ${expired.until} (${expired.reason}); that day is over`;
    return [{ ...finding, level, note: finding.note === undefined ? over : `${finding.note}; ${over}` }];
  });
  const left = report.findings.length - findings.length;
  const summary = left === 0 ? report.summary : `${report.summary} (${left} ignored)`;
  return {
    ...report,
    findings,
    summary,
    outcome: findings.some(({ level }) => level === "error" || level === failOn) ? "drift" : "same",
  };
}

function isAbout({ rule, path }: Ignore, { ruleId, pointer }: Finding): boolean {
  return rule === ruleId && (path === undefined || path === pointer);
}

function parse(text: Uint8Array, name: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw invalid(`${name}:${error.line}:${error.column}`, error.message);
  }
}

function invalid(where: string, message: string, fix?: string): CliError {
  return new CliError("invalid-config", message, {
    where,
    expected: '{"rules": {"RULE": "error|warning|note|off"}, "ignores": [{"rule", "path"?, "until", "reason"}]}',
    fix,
  });
}

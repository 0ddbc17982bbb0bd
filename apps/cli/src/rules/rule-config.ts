import { existsSync } from "node:fs";
import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { Finding, FindingLevel, Report } from "@agentprint/report";
import { z } from "zod";
import type { InputContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";
import type { RuleRegistry } from "./rule-registry.ts";

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
  /** What the user should know of the file: it names rules by ids that they had before. One sentence each. */
  readonly notices: readonly string[];
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
 * The configuration that a command applies, its rules by the ids that they have now.
 *
 * @throws {@link CliError} `invalid-config` if the file is not a configuration, names no rule that can be configured, or
 * gives one rule two levels under two of its ids
 */
export async function readRuleConfig(context: InputContext, file: string | undefined): Promise<RuleConfig> {
  if (file === undefined && !existsSync(context.pathOf(DEFAULT_CONFIG))) return { rules: {}, ignores: [], notices: [] };
  const name = file ?? DEFAULT_CONFIG;
  const result = ConfigSchema.safeParse(parse(await readInput(context, name, 1024 * 1024), name));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw invalid(`${name} at /${issue?.path.map(String).join("/")}`, issue?.message ?? "not a configuration");
  }
  // Loading the rules of all domains takes long, and most runs have no configuration.
  const { RULES } = await import("./rule-list.ts");
  return withCurrentIds(result.data, name, RULES);
}

function withCurrentIds({ rules, ignores }: z.infer<typeof ConfigSchema>, file: string, all: RuleRegistry): RuleConfig {
  const notices = new Set<string>();
  const currentId = (given: string): string => {
    const rule = all.find(given);
    if (!rule?.isConfigurable) {
      throw invalid(file, `no rule ${given} can be configured`, "see the rules with agentprint rules");
    }
    if (rule.id !== given) notices.add(`${file} names the rule ${rule.id} by another id, ${given}`);
    return rule.id;
  };
  const levels = new Map<string, FindingLevel | "off">();
  for (const [given, level] of Object.entries(rules)) {
    const id = currentId(given);
    if (levels.has(id) && levels.get(id) !== level) throw invalid(file, `the rule ${id} has two levels`);
    levels.set(id, level);
  }
  return {
    rules: Object.fromEntries(levels),
    ignores: ignores.map((ignore) => ({ ...ignore, rule: currentId(ignore.rule) })),
    notices: [...notices],
  };
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
    const level = Object.hasOwn(rules, finding.rule) ? rules[finding.rule] : finding.level;
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

function isAbout({ rule, path }: Ignore, finding: Finding): boolean {
  return rule === finding.rule && (path === undefined || path === finding.place.pointer);
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

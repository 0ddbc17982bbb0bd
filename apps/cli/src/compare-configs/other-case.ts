import { dirname, resolve } from "node:path";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { Report } from "@agentprint/findings";
import { type OtherCases, pathsInOtherCase } from "../files/other-case.ts";
import { CONFIG_RULES } from "../rules/config-rules.ts";
import type { Context } from "../run/context.ts";

/** The names that are looked for in another case. */
interface ReadNames {
  /** Whether the configurations of clients are. */
  readonly hasConfigs: boolean;
  /** Whether skills and instruction files are. */
  readonly hasSkills: boolean;
}

/** Finds what clients on systems without regard to case read in the folder of a lock, and clients on other systems do not. */
export async function namesInOtherCase(
  { pathOf }: Pick<Context, "pathOf">,
  lock: string,
  { hasConfigs, hasSkills }: ReadNames,
): Promise<OtherCases> {
  const paths = [...(hasConfigs ? configPaths() : []), ...(hasSkills ? await skillPaths() : [])];
  return pathsInOtherCase(resolve(pathOf(dirname(lock))), paths);
}

function configPaths(): string[] {
  const files = CLIENTS.flatMap((client) => client.files);
  const settings = files.flatMap((file) => file.settings ?? []);
  const paths = [...files, ...settings].flatMap(({ path }) => (typeof path === "string" ? [path] : []));
  return [...new Set(paths.filter((path) => !/^[~$%]/.test(path)))];
}

async function skillPaths(): Promise<string[]> {
  const { INSTRUCTION_FILES, INSTRUCTION_FOLDERS, SKILL_FOLDERS } = await import("@agentprint/skills");
  const below = (path: string): string[] => ["*", "*/*", "*/*/*"].map((names) => `${path}/${names}`);
  return [
    ...SKILL_FOLDERS.flatMap(({ path }) => below(path).map((skill) => `${skill}/SKILL.md`)),
    ...INSTRUCTION_FOLDERS.flatMap(({ path }) => below(path)),
    ...INSTRUCTION_FILES.map(({ path }) => path),
  ];
}

/** A report with a finding of each name in another case, first. */
export function withOtherCases(report: Report, { found, problems }: OtherCases): Report {
  if (found.length + problems.length === 0) return report;
  const findings = [
    ...found.map(({ path, opened }) => ({
      rule: "mcp/name-in-another-case",
      level: "error" as const,
      place: { subject: path, location: { file: path, line: 1 } },
      message: `${path} is read as ${opened} on macOS and Windows, and was not compared`,
    })),
    ...problems.map(({ message, details: { where } }) => ({
      rule: "mcp/name-in-another-case",
      level: "error" as const,
      place: { subject: where ?? "the project" },
      message,
      couldNotTell: true as const,
    })),
  ];
  const words = `${found.length === 1 ? "1 name is" : `${found.length} names are`} in another case than clients read`;
  return {
    ...report,
    // Without a server to visit the names were looked for all the same.
    ...(report.servers?.length === 0 && { couldNotTell: undefined }),
    summary: found.length === 0 ? report.summary : `${words}; ${report.summary}`,
    findings: [...findings, ...report.findings],
    rules: { ...report.rules, ...CONFIG_RULES },
    checked: [...new Set([...findings.map(({ place }) => place.subject), ...report.checked])],
  };
}

import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Finding, JudgedReport } from "@agentprint/findings";
import { STDIN_NAME } from "../files/read-input.ts";
import { repositoryOf } from "../git/find-repository.ts";
import type { Context } from "../run/context.ts";

/** The files that most repositories with agentprint have, beginning with the file that most findings are about. */
const COMMON = ["agentprint.lock", "agentprint.config.json", "package.json", "README.md"];

/**
 * Returns the path of a file from the top of the repository, with `/`; `undefined` if it is outside, at an address, or
 * standard input.
 */
function repositoryPath(context: Pick<Context, "pathOf">, file: string): string | undefined {
  if (file === "-" || file === STDIN_NAME || /^[a-z][a-z0-9+.-]+:/i.test(file)) return undefined;
  const path = relative(topOf(context), context.pathOf(file));
  const isInside = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isInside ? path.split(sep).join("/") : undefined;
}

/**
 * Returns the file of the repository that a report is about, for findings that are not about any of its files.
 *
 * @param files The files that the command read, beginning with the file that it judged first
 */
export function fileOfReport(context: Pick<Context, "pathOf">, files: readonly string[]): string {
  const inside = files.flatMap((file) => repositoryPath(context, file) ?? []);
  const [first] = inside.filter((file) => existsSync(join(topOf(context), file)));
  return first ?? inside[0] ?? COMMON.find((file) => existsSync(join(topOf(context), file))) ?? "agentprint.lock";
}

/** Returns a report whose findings name files relative to the top of the repository, as hosting services expect. */
export function withPathsOfRepository(context: Pick<Context, "pathOf">, report: JudgedReport): JudgedReport {
  return mapFiles(report, (file) => repositoryPath(context, file) ?? file);
}

/**
 * Returns a report without the places of findings that are in no file of the repository, and with a line for every
 * other finding, because GitHub refuses a result without a line.
 */
export function withoutFilesOutside(context: Pick<Context, "pathOf">, report: JudgedReport): JudgedReport {
  const top = topOf(context);
  const { findings, ...rest } = mapFiles(report, (file) => {
    const isPath = file !== STDIN_NAME && !isAbsolute(file) && !/^[a-z][a-z0-9+.-]+:/i.test(file);
    return isPath && !relative(top, resolve(top, file)).startsWith("..") ? file : undefined;
  });
  const withLine = (finding: Finding): Finding => {
    const { location } = finding.place;
    return location ? { ...finding, place: { ...finding.place, location: { line: 1, ...location } } } : finding;
  };
  return { ...rest, findings: findings.map(withLine) };
}

function mapFiles(report: JudgedReport, map: (file: string) => string | undefined): JudgedReport {
  const findings = report.findings.map((finding): Finding => {
    const { location, ...place } = finding.place;
    if (location === undefined) return finding;
    const file = map(location.file);
    return { ...finding, place: file === undefined ? place : { ...place, location: { ...location, file } } };
  });
  return { ...report, findings };
}

function topOf({ pathOf }: Pick<Context, "pathOf">): string {
  return repositoryOf(resolve(pathOf(".")));
}

import { dirname } from "node:path";
import { count, EXIT, type ExitCode } from "@agentprint/findings";
import { type LockFile, withSkills } from "@agentprint/mcp-lock";
import { escapeText } from "@agentprint/report";
import { compareSkills, readSkills } from "@agentprint/skills";
import { acceptSkillsLine } from "../check/approve-line.ts";
import { formatJson } from "../files/format-json.ts";
import { newLock } from "../lock/new-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import type { PinOptions } from "../options/pin-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";

/**
 * Writes the skills and instruction files of the project to the lock, and prints them; without `--replace`, those that
 * were already pinned stay unchanged.
 */
export async function pinSkills(
  context: Context,
  { lock: file, replace, format }: Pick<PinOptions, "lock" | "replace" | "format">,
): Promise<ExitCode> {
  const skills = await readSkills(context.pathOf(dirname(file)));
  const empty = await newLock(await readPolicy(context, { lock: file }));
  let differing: string[] = [];
  await updateLock(context, file, (before): LockFile => {
    const findings = before?.skills && !replace ? compareSkills(before.skills, skills) : [];
    differing = [...new Set(findings.filter(({ isRemark }) => !isRemark).map(({ place }) => place.subject))];
    return differing.length > 0 && before ? before : withSkills(before ?? empty, skills);
  });
  if (differing.length > 0) {
    printError(context, alreadyPinned(differing, file));
    return EXIT.drift;
  }
  const unread = skills.folders.filter(({ allowedTools }) => allowedTools === undefined);
  printNotices(
    context,
    unread.map(({ path }) => `${path}: its frontmatter is too complex to read, so its allowed tools are unknown`),
  );
  const { stdout } = context;
  if (format === "json") {
    stdout.write(formatJson({ lock: file, skills }));
    return EXIT.same;
  }
  const { bold, dim, green } = context.colorsOf(stdout);
  const line = (path: string, details: string): string => `${green("pinned")} ${bold(escapeText(path))}${details}\n`;
  for (const { path, name, scripts, allowedTools } of skills.folders) {
    stdout.write(line(path, ` ${escapeText(name)}, ${count(Object.keys(scripts).length, "script")}`));
    const allowed = allowedTools?.join(", ") ?? "what cannot be read";
    if (allowed !== "") stdout.write(`  ${dim(`allows ${escapeText(allowed)}`)}\n`);
  }
  for (const { path } of skills.instructions) stdout.write(line(path, ""));
  const all = skills.folders.length + skills.instructions.length;
  if (all === 0) stdout.write("There are no skills and no instruction files; the lock says so\n");
  return EXIT.same;
}

function alreadyPinned(paths: readonly string[], lock: string): CliError {
  return new CliError("already-pinned", `the lock pins another state of ${paths.join(", ")}; ${lock} is unchanged`, {
    fix: `see what changed with agentprint check, and accept it with ${acceptSkillsLine(lock)}`,
  });
}

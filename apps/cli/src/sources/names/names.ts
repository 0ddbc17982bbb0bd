import { CONFIG_RULES } from "../../rules/check-rules.ts";
import type { Source } from "../source.ts";

/** The files of the project that clients read only on case-insensitive systems. */
export const NAMES: Source = {
  needed: ({ scope }) => scope === "project",
  findings: async ({ context, file, lock, before, hasOwnConfigs = false }) => {
    const { namesInOtherCase } = await import("../../compare-configs/other-case.ts");
    const hasSkills = (lock.skills ?? before?.skills) !== undefined;
    const { found, problems } = await namesInOtherCase(context, file, { hasConfigs: hasOwnConfigs, hasSkills });
    if (found.length + problems.length === 0) return undefined;
    const rule = { rule: "mcp/name-in-another-case", level: "error" } as const;
    return {
      first: [
        ...found.map(({ path, opened }) => ({
          ...rule,
          place: { subject: path, location: { file: path, line: 1 } },
          message: `${path} is read as ${opened} on macOS and Windows, and was not compared`,
        })),
        ...problems.map(({ message, details: { where } }) => ({
          ...rule,
          place: { subject: where ?? "the project" },
          message,
          couldNotTell: true as const,
        })),
      ],
      rules: CONFIG_RULES,
      says: inWords(found.length),
      isComplete: true,
    };
  },
};

function inWords(names: number): string | undefined {
  if (names === 0) return undefined;
  return `${names === 1 ? "1 name is" : `${names} names are`} in a different case than clients read`;
}

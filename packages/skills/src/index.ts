export { checkSkills, type SkillsCheck } from "./check-skills.ts";
export { compareSkills, type SkillFinding } from "./compare-skills.ts";
export { SkillsError, type SkillsErrorCode } from "./errors.ts";
export { INSTRUCTION_FILES, INSTRUCTION_FOLDERS, type ReadPlace, SKILL_FOLDERS } from "./places.ts";
export { readSkills } from "./read-skills.ts";
export { SKILL_RULES, type SkillRuleId } from "./rules.ts";

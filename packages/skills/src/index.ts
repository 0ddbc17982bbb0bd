export { checkSkills, type SkillsCheck } from "./check-skills.ts";
export { compareSkills, type SkillFinding } from "./compare-skills.ts";
export { SkillsError, type SkillsErrorCode } from "./errors.ts";
export {
  INSTRUCTION_FILES,
  INSTRUCTION_FOLDERS,
  NESTED_FILES,
  NESTED_FOLDERS,
  type ReadPlace,
  SKILL_FOLDERS,
} from "./places.ts";
export { type ReadOptions, readSkills } from "./read-skills.ts";
export { SKILL_RULES, type SkillRuleId } from "./rules.ts";

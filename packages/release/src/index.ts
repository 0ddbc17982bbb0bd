export { parseAliases } from "./aliases.ts";
export { changelogEntry, changesetText } from "./changelog.ts";
export { ReleaseError, type ReleaseErrorCode } from "./errors.ts";
export { judgeRelease, PATCH_RULES, type ReleaseChange, type ReleaseVerdict } from "./judge-release.ts";
export { judgeVersion, nextVersion, type VersionVerdict } from "./judge-version.ts";
export { RELEASE_LEVELS, type ReleaseLevel } from "./levels.ts";
export { pendingLevel } from "./pending-level.ts";
export { RELEASE_RULES, type ReleaseRuleId } from "./rules.ts";

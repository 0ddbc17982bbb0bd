const MIB = 1_048_576;

/** The longest SKILL.md or instruction file, in bytes. */
export const MAX_TEXT_BYTES: number = MIB;
/** The longest other file of a skill, in bytes. */
export const MAX_FILE_BYTES: number = 16 * MIB;
/** The largest total size of a skill's files, in bytes. */
export const MAX_SKILL_BYTES: number = 64 * MIB;
/** The most files and folders of one skill, and the most that are read in one folder of skills. */
export const MAX_ENTRIES = 2000;
/** The longest frontmatter that is read, in UTF-16 code units. */
export const MAX_FRONTMATTER = 32_768;
/** The most levels below a folder of skills that are searched for skills. */
export const SKILL_LEVELS = 3;
/** The largest total size of a project's instruction files, in bytes. */
export const MAX_INSTRUCTION_BYTES: number = 64 * MIB;
/** The most instruction files below the project's folder. */
export const MAX_NESTED_FILES = 2000;
/** The most folders of a project that are searched for instruction files. */
export const MAX_FOLDERS = 50_000;
/** The most entries that these folders may have together. */
export const MAX_LOOKED_AT = 1_000_000;
/** The most levels of folders. */
export const MAX_LEVELS = 64;
/** The longest `.gitignore`, in bytes. */
export const MAX_IGNORE_BYTES: number = 256 * 1024;
/** The most steps of matching folders with the rules of `.gitignore`. */
export const MAX_IGNORE_STEPS = 50_000_000;

const MIB = 1_048_576;

/** The longest SKILL.md or instruction file, in bytes. */
export const MAX_TEXT_BYTES: number = MIB;
/** The longest other file of a skill, in bytes. */
export const MAX_FILE_BYTES: number = 16 * MIB;
/** All files of one skill, in bytes. */
export const MAX_SKILL_BYTES: number = 64 * MIB;
/** The files and folders of one skill, and those of one folder of skills that are looked at. */
export const MAX_ENTRIES = 2000;
/** The longest frontmatter that is read, in UTF-16 code units. */
export const MAX_FRONTMATTER = 32_768;
/** The levels below a folder of skills at which a skill is looked for. */
export const SKILL_LEVELS = 3;
/** All instruction files of a project, in bytes. */
export const MAX_INSTRUCTION_BYTES: number = 64 * MIB;
/** The instruction files below the folder of the project. */
export const MAX_NESTED_FILES = 2000;
/** The folders of a project that are looked through for instruction files. */
export const MAX_FOLDERS = 50_000;
/** The entries of these folders. */
export const MAX_LOOKED_AT = 1_000_000;
/** The levels of folders. */
export const MAX_LEVELS = 64;
/** The longest `.gitignore`, in bytes. */
export const MAX_IGNORE_BYTES: number = 256 * 1024;
/** The steps of matching folders with the rules of `.gitignore`. */
export const MAX_IGNORE_STEPS = 50_000_000;

import { checkArgument } from "./check-argument.ts";
import { isLoadingCode } from "./code-variables.ts";
import { isAddress } from "./words.ts";

/**
 * Variables of npm, pnpm, uv, pip, Yarn and Corepack whose value is a command, a package or a settings file. Settings
 * files choose the registry, the shell and the interpreter's options.
 */
const SETTINGS =
  /^(?:NPM_CONFIG_(?:USERCONFIG|GLOBALCONFIG|NPMRC_AUTH_FILE|CALL|PACKAGE|SHELL|SCRIPT_SHELL|NODE_ARG|GIT|NODE_GYP|ONLOAD_SCRIPT|(?:GLOBAL_)?PNPMFILE)|UV_(?:CONFIG_FILE|ENV_FILE|OVERRIDE|(?:BUILD_)?CONSTRAINT|PYTHON_INSTALL_MIRROR|PYPY_INSTALL_MIRROR|PYTHON_DOWNLOADS_JSON_URL)|PIP_(?:CONFIG_FILE|REQUIREMENT|(?:BUILD_)?CONSTRAINT|EDITABLE|PYTHON)|YARN_(?:YARN_PATH|RC_FILENAME|PLUGINS)|COREPACK_(?:ENV_FILE|NPM_REGISTRY|INTEGRITY_KEYS))$/;

/**
 * Variables whose value is one or more folders in which programs, packages, code caches or settings are looked up.
 */
const FOLDERS =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(?:CONFIG|DATA|CACHE)_HOME|NODE_COMPILE_CACHE|NPM_CONFIG_(?:PREFIX|CACHE|CACHE_DIR|DIR|STORE_DIR|STATE_DIR|GLOBAL_DIR|MODULES_DIR|VIRTUAL_STORE_DIR)|UV_(?:CACHE_DIR|TOOL_DIR|PYTHON_INSTALL_DIR|PROJECT|PROJECT_ENVIRONMENT|WORKING_DIR|WORKING_DIRECTORY|FIND_LINKS)|PIP_FIND_LINKS|PIPX_(?:HOME|SHARED_LIBS)|YARN_(?:CACHE_FOLDER|GLOBAL_FOLDER)|BUN_INSTALL(?:_CACHE_DIR)?|BUN_RUNTIME_TRANSPILER_CACHE_PATH|DENO_DIR|COREPACK_HOME|VOLTA_HOME|PYENV_ROOT)$/;

/** Variables whose value is a program or a program's version. */
const PROGRAMS = /^(?:UV_PYTHON|PIPX_DEFAULT_PYTHON)$/;

/** Variables whose value lists the folders that are searched for imports and libraries. */
const IMPORTS = /^(?:PYTHONPATH|NODE_PATH|LD_LIBRARY_PATH|DYLD_(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH)$/;

/** The facts about a launch by which its variables are judged. */
export interface ChosenLaunch {
  /** Returns whether a path is in the launch's folder or starts there. */
  readonly isOwn: (path: string) => boolean;
  /** Whether the launch fetches a package, which itself imports nothing from the folder. */
  readonly isFetched: boolean;
}

/**
 * Returns whether the value of a variable chooses code that no word of a launch names: it loads code (see {@link
 * isLoadingCode}), gives the program that fetches packages another settings file, command or package, or names a folder
 * of the launch in which programs, packages, settings or a fetched package's imports are looked up. A lock keeps only
 * the names of variables, so a changed value would go unnoticed.
 *
 * @example
 * ```ts
 * import { isChoosingCode } from "@agentprint/launch";
 *
 * const launch = { isOwn: (path: string): boolean => !path.startsWith("/"), isFetched: true };
 * console.log(isChoosingCode("npm_config_userconfig", "/etc/other.npmrc", launch)); // true
 * console.log(isChoosingCode("PATH", "bin:/usr/bin", launch)); // true
 * console.log(isChoosingCode("PATH", "/usr/local/bin:/usr/bin", launch)); // false
 * ```
 */
export function isChoosingCode(name: string, value: string, launch: ChosenLaunch): boolean {
  checkArgument("name", name, "string");
  checkArgument("value", value, "string");
  checkArgument("launch", launch, "object");
  const { isOwn, isFetched } = launch;
  const plain = plainName(name);
  if (isLoadingCode(name, value) || isLoadingCode(plain, value)) return true;
  if (SETTINGS.test(plain)) return value !== "" && value !== "/dev/null";
  if (PROGRAMS.test(plain)) return /[/\\]/.test(value) && isOwn(value);
  const isLookedUp = FOLDERS.test(plain) || (isFetched && IMPORTS.test(plain));
  return isLookedUp && foldersIn(plain, value).some((path) => !isAddress({ text: path }) && isOwn(path));
}

/**
 * Returns the name in upper case in its reader's spelling: npm reads `-` as `_`, and pnpm reads the same names as npm.
 */
function plainName(name: string): string {
  const upper = name.toUpperCase();
  return /^P?NPM_CONFIG_/.test(upper) ? upper.replace(/^P/, "").replaceAll("-", "_") : upper;
}

/**
 * Returns the folders in a value. An empty entry between others is the process's folder; an empty value names no
 * folder.
 */
function foldersIn(name: string, value: string): string[] {
  if (value === "") return [];
  if (!name.endsWith("PATH")) return [value];
  const isWindows = value.includes(";") || /^[a-z]:[/\\]/i.test(value);
  return value.split(isWindows ? ";" : ":");
}

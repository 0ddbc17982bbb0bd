import { checkArgument } from "./check-argument.ts";
import { JAVA_HARMLESS } from "./java-options.ts";
import { NODE } from "./node-options.ts";
import { grammar, readOptions } from "./options.ts";

/** Returns whether a variable's value loads code. */
type Judge = (value: string) => boolean;

const always: Judge = (value) => value !== "";
/** Judges that a value loads code if any word in it is not known to be harmless. */
const unless =
  (harmless: RegExp): Judge =>
  (value) =>
    value.split(/\s+/).some((word) => word !== "" && !harmless.test(word));

const NODE_TABLE = grammar(NODE);
/**
 * Returns whether `NODE_OPTIONS` contains an unknown option, or an option that names code or a file that names code.
 */
const node: Judge = (value) => {
  if (value.includes("$")) return true;
  const words = value.match(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*"|["\\])+/gs) ?? [];
  const read = readOptions(
    words.map((text) => ({ text: text.replace(/["\\]/g, ""), argument: 0, start: 0 })),
    NODE_TABLE,
  );
  return read.unread !== undefined || read.rest.length > 0 || read.options.some(({ role }) => role !== undefined);
};

const java = unless(JAVA_HARMLESS);
const ruby = unless(/^(?:-W(?:\d|:[\w-]+)?|-w|-U|--(?:yjit|jit|rjit)(?:[\w=-]*)|--(?:en|dis)able[=-][\w-]+)$/);
const go = unless(/^-(?:mod|tags|trimpath|race|msan|asan|v|x|p|buildvcs|modcacherw|buildmode|cover\w*)(?:=.*)?$/);
const erl: Judge = (value) => /(?:^|\s)-(?!kernel\b|noshell\b|noinput\b|name\b|sname\b|setcookie\b)/.test(value);

/** Variables by which a program, an interpreter or the system's loader loads code that no word of the launch names. */
const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...[
    // Program loaders: ld.so(8), dyld(1), and the modules of libc, GLib, GTK and OpenSSL.
    "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH GTK_MODULES GTK3_MODULES GIO_EXTRA_MODULES OPENSSL_MODULES OPENSSL_ENGINES",
    // JavaScript
    "NODE_REPL_EXTERNAL_MODULE BUN_INSPECT_PRELOAD TS_NODE_COMPILER TS_NODE_PROJECT NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_SHELL",
    // Python: https://docs.python.org/3/using/cmdline.html#environment-variables
    "PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE PYTHONPYCACHEPREFIX PYTHONPLATLIBDIR PYTHON_PRESITE PYTHONINSPECT UV_ENV_FILE",
    // Shells
    "BASH_ENV ZDOTDIR",
    // .NET
    "DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE ASPNETCORE_HOSTINGSTARTUPASSEMBLIES CORECLR_PROFILER CORECLR_PROFILER_PATH CORECLR_PROFILER_PATH_32 CORECLR_PROFILER_PATH_64 CORECLR_PROFILER_PATH_ARM64 COR_PROFILER COR_PROFILER_PATH",
    // Perl, PHP, Lua, R, Julia, Ruby's bundler, Rust
    "PERL5DB PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_INIT_5_1 LUA_INIT_5_2 LUA_INIT_5_3 LUA_INIT_5_4 LUA_INIT_5_5 R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER JULIA_DEPOT_PATH BUNDLE_GEMFILE RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER",
  ].flatMap((names) => names.split(" ").map((name) => [name, always] as const)),
  ["NODE_OPTIONS", node],
  ["NPM_CONFIG_NODE_OPTIONS", node],
  ["BUN_OPTIONS", unless(/^--(?:bun|silent|smol|no-install|no-addons)$/)],
  ["OPENSSL_CONF", (value) => value !== "" && value !== "/dev/null"],
  ["PYTHONBREAKPOINT", (value) => value !== "" && value !== "0"],
  // A warning's category is imported if it contains a dot.
  ["PYTHONWARNINGS", (value) => value.split(",").some((filter) => (filter.split(":")[2] ?? "").includes("."))],
  ["PS4", (value) => /[$`]/.test(value)],
  ...["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS"].map((name) => [name, java] as const),
  ["RUBYOPT", ruby],
  ["PERL5OPT", unless(/^-[wWtTUC]+\w*$/)],
  ["GOFLAGS", go],
  ...["ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS", "ELIXIR_ERL_OPTIONS"].map((name) => [name, erl] as const),
]);
const PATTERNS = [/^BASH_FUNC_/, /^CARGO_TARGET_.*_RUNNER$/];

/**
 * Returns whether a variable with this value makes a program load code that no word of a launch names: `LD_PRELOAD`,
 * `NODE_OPTIONS` with `--require` or `--import`, `JAVA_TOOL_OPTIONS` with an agent, and similar variables. A variable
 * that names folders to search for imports, such as `PYTHONPATH`, is not one of them.
 *
 * @example
 * ```ts
 * import { isLoadingCode } from "@agentprint/launch";
 *
 * console.log(isLoadingCode("NODE_OPTIONS", "--import=./first.js")); // true
 * console.log(isLoadingCode("NODE_OPTIONS", "--max-old-space-size=4096")); // false
 * ```
 */
export function isLoadingCode(name: string, value: string): boolean {
  checkArgument("name", name, "string");
  checkArgument("value", value, "string");
  const upper = name.toUpperCase();
  const judge = JUDGES.get(upper) ?? (PATTERNS.some((pattern) => pattern.test(upper)) ? always : undefined);
  return judge?.(value) === true;
}

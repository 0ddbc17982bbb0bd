/** The variables, in upper case, whose values determine which code programs, interpreters and their installers load. */
const NAMES: ReadonlySet<string> = new Set([
  // The system and shells.
  ...[
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "SHELL",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "PS4",
  ],
  ...["GCONV_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "HOME", "USERPROFILE", "XDG_CONFIG_HOME"],
  // JavaScript.
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "NODE_EXTRA_OPTIONS", "ELECTRON_RUN_AS_NODE"],
  ...["TS_NODE_PROJECT", "TS_NODE_COMPILER", "NPM_TOKEN_HELPER"],
  // Python, Ruby, Perl, Lua, R, PHP.
  ...[
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONBREAKPOINT",
    "PYTHONWARNINGS",
    "PYTHONPLATLIBDIR",
  ],
  ...["PYTHONEXECUTABLE", "PYTHONPYCACHEPREFIX", "PYTHONCASEOK", "VIRTUAL_ENV", "CONDA_PREFIX"],
  ...["RUBYOPT", "RUBYLIB", "RUBYPATH", "GEM_PATH", "GEM_HOME", "BUNDLE_GEMFILE", "BUNDLE_PATH"],
  ...["PERL5OPT", "PERL5LIB", "PERL5DB", "PERLLIB"],
  ...[
    "R_PROFILE",
    "R_PROFILE_USER",
    "R_ENVIRON",
    "R_ENVIRON_USER",
    "R_LIBS",
    "R_LIBS_USER",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
  ],
  // The JVM, .NET, Go, Rust.
  ...[
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JAVA_OPTS",
    "CLASSPATH",
    "JAVA_HOME",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
  ],
  ...[
    "DOTNET_STARTUP_HOOKS",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_SHARED_STORE",
    "DOTNET_ROOT",
    "ASPNETCORE_HOSTINGSTARTUPASSEMBLIES",
    "GOFLAGS",
    "GOPROXY",
    "GOTOOLCHAIN",
  ],
  ...["RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "CARGO_HOME"],
  // Modules of GTK, plugins of Docker.
  ...["GTK_MODULES", "GTK3_MODULES", "GIO_EXTRA_MODULES", "DOCKER_CONFIG", "ELIXIR_ERL_OPTIONS"],
  // Git, which installers run.
  ...["EDITOR", "VISUAL", "PAGER", "SSH_ASKPASS", "SUDO_ASKPASS"],
]);

/** The prefixes of other variables that choose code, in upper case. */
const PREFIXES = [
  ...["LD_", "DYLD_", "BASH_FUNC_", "GIT_", "NPM_CONFIG_", "YARN_", "PNPM_", "COREPACK_", "VOLTA_"],
  ...["BUN_", "DENO_", "LUA_", "ERL_", "JULIA_", "MISE_", "ASDF_", "PYENV_", "RBENV_", "NODENV_"],
  ...["PIP_", "PIPX_", "UV_", "POETRY_", "CORECLR_", "COR_", "COMPLUS_", "DOTNET_CLI_", "CARGO_TARGET_"],
] as const;

/** Returns whether the value of a variable can choose which code a server loads. */
export function loadsCode(variable: string): boolean {
  // Windows and some installers take names in any case.
  const name = variable.toUpperCase();
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}

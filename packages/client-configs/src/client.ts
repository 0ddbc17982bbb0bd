/** The clients whose configurations are found automatically. */
export type ClientId =
  | "claude-desktop"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "zed"
  | "codex"
  | "gemini"
  | "cline"
  | "roo"
  | "continue"
  | "lm-studio"
  | "opencode"
  | "amp"
  | "goose"
  | "kiro"
  | "junie"
  | "kilo"
  | "copilot"
  | "trae"
  | "crush"
  | "amazon-q"
  | "factory"
  | "codebuddy"
  | "qwen";

/** `user`: one person's settings for all projects; `project`: the settings in a project's folder. */
export type ConfigScope = "user" | "project";

/** A platform as Node names it; each other platform stores files as `linux` does. */
export type Platform = "darwin" | "linux" | "win32";

/** A client that reads MCP servers from a file. */
export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** The client's syntax for variables, if it is neither `${NAME}` nor `${env:NAME}`. */
  readonly references?: "continue" | "crush" | "gemini" | "kilo" | "opencode";
  /**
   * How the arguments of a launch refer to variables; absent if the client's documentation mentions no such
   * references.
   */
  readonly variables?: WordVariables;
  /** Where entries with the same name are merged, the files that take precedence come first. */
  readonly files: readonly ClientFile[];
  /** The rule for entries with the same name in several files; absent if the client's documentation states none. */
  readonly merge?: EntryMerge;
  /** How the client writes a server that it starts, and a server that it reaches over HTTP. */
  readonly spelling: { readonly stdio: string; readonly http: string };
  /** The documented ways to switch off a server in one of the client's files. */
  readonly off: readonly OffSwitch[];
  /** The page that documents this spelling. */
  readonly source: string;
}

/**
 * A way to switch off a server: a member of its entry, or the lists at `mcp.excluded` and `mcp.allowed` in its file,
 * which contain names, or patterns of names with `*` and `?`.
 */
export type OffSwitch = "disabled: true" | "enabled: false" | "mcp lists" | "mcp patterns";

/** How a client refers to an environment variable in a command, its arguments and a URL. */
export interface WordVariables {
  /** The reference to the variable `NAME`. */
  readonly form: string;
  /** The page that documents this. */
  readonly source: string;
  /** Facts that this page does not state. */
  readonly unverified?: string;
}

/** How a client combines entries with the same name in several of its files into one server. */
export interface EntryMerge {
  /**
   * `entry`: only the first file's entry counts; `members`: its members replace those in the other files, at every
   * depth.
   */
  readonly by: "entry" | "members";
  /** The page that says so. */
  readonly source: string;
  /** Facts that this page does not state. */
  readonly unverified?: string;
}

/** A file, or a folder of files, in which a client looks for servers. */
export interface ClientFile {
  readonly scope: ConfigScope;
  /**
   * The path, the same on every platform or one for each. It begins with `~/`, with a folder named by a variable
   * (`$CODEX_HOME/`, `$COPILOT_HOME/`, `$XDG_CONFIG_HOME/` or `%APPDATA%/`), or is relative to the project's folder.
   * `*` stands for each file in a folder.
   */
  readonly path: string | Readonly<Record<Platform, string>>;
  /** The keys that lead to the servers; `{project}` stands for the project's folder. */
  readonly member: readonly string[];
  /**
   * Whether the servers belong to one of the client's agents, so that they neither replace entries in other files nor
   * are replaced by them.
   */
  readonly isOfOneAgent?: true;
  /** The settings files that switch off servers in this file. */
  readonly settings?: readonly SettingsFile[];
  /** The page that names the path, if it is not the client's main page. */
  readonly source?: string;
  /** Facts that the client's documentation does not state; they come from experiments or from the client's source. */
  readonly unverified?: string;
}

/** A settings file that lists servers the client never starts; it overrides all other settings. */
export interface SettingsFile {
  /** The path relative to the folder of the file with the servers, or beginning with `~/`. */
  readonly path: string;
  /** The member that holds the list. */
  readonly member: string;
  /** Whether the file belongs to one person and does not show what others start. */
  readonly isPersonal: boolean;
  /** The page that says so. */
  readonly source: string;
}

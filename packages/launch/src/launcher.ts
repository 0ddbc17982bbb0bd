/** How precisely a launch names a version: one version, several, a name that moves between versions, or no version. */
export type VersionPrecision = "exact" | "range" | "tag" | "none";

/** The package that a launch fetches and runs. */
export interface LaunchedPackage {
  /** The kind of registry: npm, a Python package index, or a container registry. */
  readonly kind: "npm" | "python" | "image";
  /** The program that fetches it, such as `npx`. */
  readonly runner: string;
  /**
   * The package's or image's name without its version; for a package from a repository or URL, the complete specifier.
   */
  readonly package: string;
  readonly version: VersionPrecision;
  /** The version as the launch writes it; absent if the launch names no version. */
  readonly versionText?: string;
  /** RFC 6901 JSON Pointer to the argument in the launch. */
  readonly pointer: string;
}

/** The target of a launch: a package, a local program, a server at an address, or unknown. */
export type Launcher =
  | LaunchedPackage
  | { readonly kind: "local" }
  | { readonly kind: "remote" }
  /** `runner` is the program whose arguments could not be read. */
  | { readonly kind: "unknown"; readonly runner: string };

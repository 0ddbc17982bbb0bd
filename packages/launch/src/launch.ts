/** How a server is started or reached. Only names of environment variables and headers, never their values. */
export type Launch =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: string[];
      readonly cwd?: string;
      /** Names of the environment variables that are passed on. */
      readonly env: string[];
    }
  | {
      readonly type: "http";
      readonly url: string;
      /** Names of the request headers that are sent. */
      readonly headers: string[];
    };

/** A script or program that the launch names, as it was when the server was pinned. */
export interface LockedFile {
  /** RFC 6901 JSON Pointer of the command or argument that names the file, from the launch. */
  readonly pointer: string;
  /** SHA-256 of the bytes of the file, as 64 lowercase hex digits. */
  readonly digest: string;
}

/** The coverage of the interpreted code of a launch by digests. */
export interface LaunchCoverage {
  /**
   * `files`: each file that the launch names as code has a digest; what it imports has none. `artifact`: the launch
   * fetches a package or image in an exact version, for whose bytes the `artifacts` of an entry hold digests, as they
   * do for an exact package before a file. `not covered`: neither is known, or a package has no exact version.
   */
  readonly state: "files" | "artifact" | "not covered";
  /** The first word whose effect is unknown; present if the state is `not covered`. */
  readonly word?: string;
  /** RFC 6901 JSON Pointer of the command or argument that contains the word, from the launch. */
  readonly pointer?: string;
  /** The files with variables that the launch names. They have no digests; absent if the launch names none. */
  readonly envFiles?: readonly string[];
}

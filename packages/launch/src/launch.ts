/**
 * How a server is started or reached. It contains only the names of environment variables and headers, never their
 * values.
 */
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

/** A script or program that the launch names, in the state in which it was when the server was pinned. */
export interface LockedFile {
  /** RFC 6901 JSON Pointer to the command or argument in the launch that names the file. */
  readonly pointer: string;
  /** SHA-256 of the file's bytes, as 64 lowercase hex digits. */
  readonly digest: string;
}

/** How far digests cover the code that a launch interprets. */
export interface LaunchCoverage {
  /**
   * `files`: each file that the launch names as code has a digest, but its imports have none. `artifact`: the launch
   * fetches a package or image in an exact version, and an entry's `artifacts` contain digests of its bytes, as they do
   * for an exact package that runs a file. `not covered`: neither applies, or a package has no exact version.
   */
  readonly state: "files" | "artifact" | "not covered";
  /** The first word whose effect is unknown; present if the state is `not covered`. */
  readonly word?: string;
  /** RFC 6901 JSON Pointer to the command or argument in the launch that contains the word. */
  readonly pointer?: string;
  /** The files with variables that the launch names. They have no digests; absent if the launch names no such files. */
  readonly envFiles?: readonly string[];
}

/** How a server is started or reached. Names of environment variables and headers only, never their values. */
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

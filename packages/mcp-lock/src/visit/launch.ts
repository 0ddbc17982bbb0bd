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

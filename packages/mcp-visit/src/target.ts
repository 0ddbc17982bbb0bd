import type { Launch } from "@agentprint/launch";

/** A server that is started by a command and reached over its standard streams. */
export interface StdioTarget {
  readonly type: "stdio";
  /** The launch as written, with its references; it becomes the `launch` of the answers. */
  readonly launch: Launch;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Variables in addition to the few that every command inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/** A request that needs authorization. */
export interface UnauthorizedRequest {
  readonly method: string;
  readonly address: string;
}

/** Authorizes the requests to one server. */
export interface HttpAuthorization {
  /**
   * Returns the headers that authorize one request; they are sent only with that request, and only to the server's
   * origin.
   */
  headers(request: UnauthorizedRequest): Promise<Readonly<Record<string, string>>>;
  /**
   * Called with each 401 or 403 response, and the headers that authorized its request. Returns whether to send the
   * request again with new headers.
   *
   * @throws {@link Error} if the server cannot be used without a person; the visit fails with the error's message
   */
  refused(response: Response, sent: Readonly<Record<string, string>>): Promise<boolean>;
}

/** A server that is reached at a URL. */
export interface HttpTarget {
  readonly type: "http";
  /** The launch as written, with its references; it becomes the `launch` of the answers. */
  readonly launch: Launch;
  readonly url: string;
  /** Sent with every request to the URL's origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Authorizes requests with a login. Absent if only the headers authorize them. */
  readonly authorization?: HttpAuthorization;
}

/** A server's command or URL, with all references resolved. */
export type VisitTarget = StdioTarget | HttpTarget;

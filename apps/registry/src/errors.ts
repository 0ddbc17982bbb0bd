import { escapeText } from "@agentprint/canonical-json";
import type { ManifestIssueCode } from "@agentprint/manifest";

/** The HTTP status of each {@link RegistryError} code; a manifest issue that is not listed has the status 422. */
const STATUS = {
  /** The `Idempotency-Key` belongs to another request. Send a new key with a new request. */
  IDEMPOTENCY_KEY_REUSED: 422,
  /** The body is JSON, but not in the form that the route accepts. Correct the members that `errors` lists. */
  INVALID_BODY: 422,
  /**
   * One of the registry's settings or its signing key is missing or wrong, so the registry does not start. Correct the
   * setting or file that the message names.
   */
  INVALID_CONFIGURATION: 500,
  /** The `Idempotency-Key` does not have 1 to 255 visible ASCII characters. Send another key. */
  INVALID_IDEMPOTENCY_KEY: 400,
  /** The body is not strict JSON. Correct it at the line and column that the message gives. */
  INVALID_JSON: 400,
  /** A query parameter is unknown or has a wrong value. Correct the parameter that the message names. */
  INVALID_QUERY: 400,
  /** The request's key is missing or wrong. Send `Authorization: Bearer` with a key of this registry. */
  UNAUTHENTICATED: 401,
  /** A rollback suspended the key. Ask the operator to confirm it: `agentprint-registry keys confirm <id>`. */
  KEY_SUSPENDED: 401,
  /** The key does not permit this request for this agent. Use a key whose scope includes the agent. */
  FORBIDDEN: 403,
  /** There is no agent with this id. Check the id, or publish its first version. */
  AGENT_NOT_FOUND: 404,
  /** There is no usable key with this id. List the keys to find the right id. */
  KEY_NOT_FOUND: 404,
  /** No checkpoint for this agent has been signed yet. Ask again in a few seconds. */
  NO_CHECKPOINT: 404,
  /** The registry has nothing at this path. Check the path against `/openapi.json`. */
  ROUTE_NOT_FOUND: 404,
  /** The agent has no such version. Ask for a version from 1 to the newest. */
  VERSION_NOT_FOUND: 404,
  /** There is no webhook with this id. List the webhooks to find the right id. */
  WEBHOOK_NOT_FOUND: 404,
  /** The path does not accept this method. Use a method that the header `Allow` lists. */
  METHOD_NOT_ALLOWED: 405,
  /** An agent with this id already exists. Publish its next version with `If-Match` instead. */
  AGENT_EXISTS: 409,
  /**
   * After a rollback, the registry lacks versions that were published. The operator must restore them in order or give
   * up their numbers.
   */
  VERSIONS_LOST: 409,
  /**
   * After a rollback, no one has declared which version the agent had reached. Ask the operator to declare it, then
   * publish again.
   */
  VERSIONS_UNKNOWN: 409,
  /** The agent's newest version is not the one that `If-Match` names. Read the newest version, then publish on top of it. */
  PRECONDITION_FAILED: 412,
  /** The manifest has more bytes than the registry accepts. Make it smaller. */
  MANIFEST_TOO_LARGE: 413,
  /** The body is not JSON, or is compressed. Send `application/json` without an encoding. */
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The address or the key has made too many requests. Wait as many seconds as `Retry-After` states. */
  RATE_LIMITED: 429,
  /** The database contains data that contradicts its hash or its chain. Stop the registry and restore a backup. */
  CORRUPT: 500,
  /** The registry failed unexpectedly. Look for the request's id in the registry's log. */
  INTERNAL: 500,
  /**
   * A backup could not be made or restored, and nothing was replaced. Correct the problem that the message names and
   * run the command again.
   */
  BACKUP_FAILED: 500,
  /**
   * The database is older than a checkpoint that the registry signed, so the registry does not start. Restore the
   * newest backup or accept the rollback.
   */
  ROLLED_BACK: 500,
  /** The registry or its database is overloaded or shutting down. Send the request again after `Retry-After`. */
  UNAVAILABLE: 503,
} as const;

/** Why a {@link RegistryError} was thrown. */
export type RegistryErrorCode = keyof typeof STATUS | ManifestIssueCode;

/** A problem in a client's input. */
export interface RegistryIssue {
  readonly code: string;
  readonly detail: string;
  /** RFC 6901 JSON Pointer into the body. */
  readonly pointer?: string;
  /** The name of the query parameter. */
  readonly parameter?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The registry's only error class. HTTP answers carry it as `application/problem+json` with `status`. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
  readonly issues: readonly RegistryIssue[];
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RegistryErrorCode,
    message: string,
    details: {
      readonly issues?: readonly RegistryIssue[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(escapeText(message), "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.issues = details.issues ?? [];
    this.headers = details.headers ?? {};
  }

  /** The answer's HTTP status. */
  get status(): number {
    return Object.hasOwn(STATUS, this.code) ? STATUS[this.code as keyof typeof STATUS] : 422;
  }
}

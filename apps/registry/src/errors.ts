import { escapeText } from "@agentprint/canonical-json";
import type { ManifestIssueCode } from "@agentprint/manifest";

/** The HTTP status of each code of a {@link RegistryError}; an issue of a manifest that is not listed is a 422. */
const STATUS = {
  IDEMPOTENCY_KEY_REUSED: 422,
  INVALID_BODY: 422,
  INVALID_CONFIGURATION: 500,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_JSON: 400,
  INVALID_QUERY: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  AGENT_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  NO_CHECKPOINT: 404,
  ROUTE_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  AGENT_EXISTS: 409,
  VERSIONS_LOST: 409,
  PRECONDITION_FAILED: 412,
  MANIFEST_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  CORRUPT: 500,
  INTERNAL: 500,
  BACKUP_FAILED: 500,
  ROLLED_BACK: 500,
  UNAVAILABLE: 503,
} as const;

/** Why a {@link RegistryError} was thrown. */
export type RegistryErrorCode = keyof typeof STATUS | ManifestIssueCode;

/** One thing that is wrong with what a client sent. */
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

/** The one error class of the registry. Over HTTP it is answered as `application/problem+json` with `status`. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
  readonly issues: readonly RegistryIssue[];
  /** Headers that the answer has. */
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

  /** The HTTP status of the answer. */
  get status(): number {
    return Object.hasOwn(STATUS, this.code) ? STATUS[this.code as keyof typeof STATUS] : 422;
  }
}

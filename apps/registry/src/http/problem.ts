import { STATUS_CODES } from "node:http";
import type { ManifestIssue } from "@agentprint/manifest";
import type { TrailStoreError, TrailStoreErrorCode } from "@agentprint/trail-store";
import { RegistryError, type RegistryIssue } from "../errors.ts";
import { respondJson } from "./respond.ts";

/** The media type of an error (RFC 9457). */
export const PROBLEM_TYPE = "application/problem+json";
/** The most issues that an answer lists. */
const MAX_LISTED = 100;
/** The trail errors after which a change is certainly not stored. */
const NOT_STORED: readonly TrailStoreErrorCode[] = ["busy", "disk-full"];
const RETRY_AFTER = { "retry-after": "1" };

/** Returns the error for a refused manifest. `base` is the manifest's place in the body. */
export function refusedManifest(issues: readonly ManifestIssue[], base = ""): RegistryError {
  const [first] = issues;
  const code = first?.code ?? "INVALID_JSON";
  return new RegistryError(code, first?.message ?? "the manifest was refused", {
    issues: issues.slice(0, MAX_LISTED).map(({ code, path, message, line, column }) => ({
      code,
      pointer: base + path,
      detail: message,
      ...(line !== undefined && base === "" && { line }),
      ...(column !== undefined && base === "" && { column }),
    })),
  });
}

/** Returns any error as a registry error; an unexpected error becomes `INTERNAL`, and its message is not shown. */
export function toRegistryError(
  error: unknown,
  errorOf: (error: unknown) => TrailStoreError | undefined,
): RegistryError {
  if (error instanceof RegistryError) return error;
  const known = errorOf(error);
  if (known && ["busy", "unavailable", "disk-full"].includes(known.code)) {
    const outcome = NOT_STORED.includes(known.code) ? "nothing was stored" : "a change may or may not be stored";
    const what =
      known.code === "disk-full" ? "the disk of the database is full" : "the database cannot be used at the moment";
    const message = `${what}; ${outcome}`;
    return new RegistryError("UNAVAILABLE", message, { headers: RETRY_AFTER, cause: error });
  }
  return new RegistryError("INTERNAL", "the registry failed; the reason is in its log", { cause: error });
}

/** Returns an error as an answer. */
export function problemResponse(error: RegistryError): Response {
  const { code, status, message, issues, headers } = error;
  const title = STATUS_CODES[status] ?? "Error";
  const errors: readonly RegistryIssue[] = issues;
  const body = { type: "about:blank", title, status, detail: message, code, ...(errors.length > 0 && { errors }) };
  return respondJson(body, status, { "content-type": PROBLEM_TYPE, ...headers });
}

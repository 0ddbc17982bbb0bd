import { ProblemSchema } from "@agentprint/registry-api/answers";
import type { ZodType } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { PROBLEM_TYPE } from "../problem.ts";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "400": "The body is not JSON, or the query is invalid.",
  "401": "The key is missing or unknown, or has ended.",
  "403": "The key gives no access to this agent.",
  "404": "There is no such agent or version.",
  "409":
    "There is already an agent with this id, or a rollback lost versions that must be restored first (`VERSIONS_LOST`).",
  "412": "The agent does not match `If-Match`.",
  "413": "`MANIFEST_TOO_LARGE`: the manifest has more than 131,072 canonical bytes, or the body more than 524,288.",
  "415": "The body is not `application/json`.",
  "422":
    "The body is JSON, but not a valid manifest: every problem is listed with its JSON Pointer. Or the `Idempotency-Key` was already sent with another request.",
  "429": "Too many requests; `Retry-After` states when to try again.",
  "503":
    "The registry is at its capacity, or the database does not answer; `Retry-After` states when to try again. A change may or may not have been stored, unless the message states otherwise: repeat it with the same `Idempotency-Key`.",
};

/** Describes a JSON answer. */
export function jsonAnswer(description: string, schema: ZodType, etag = false): ZodOpenApiResponseObject {
  const headers = { ETag: { schema: { type: "string" as const }, description: "Names this state." } };
  return { description, content: { "application/json": { schema } }, ...(etag && { headers }) };
}

/** Describes an answer with a page of a list. */
export function pageAnswer(description: string, schema: ZodType): ZodOpenApiResponseObject {
  const link = {
    schema: { type: "string" as const },
    description: 'The next page, with `rel="next"`; the last page has no such link.',
  };
  return { ...jsonAnswer(description, schema), headers: { Link: link } };
}

/** Describes the errors that a route answers with, by status; every route can answer with 400, 429 or 503. */
export function problems(...statuses: readonly number[]): Record<string, ZodOpenApiResponseObject> {
  const all = [400, ...statuses, 429, 503].map(String);
  return Object.fromEntries(
    all.map((status) => [
      status,
      { description: DESCRIPTIONS[status] ?? "Error", content: { [PROBLEM_TYPE]: { schema: ProblemSchema } } },
    ]),
  );
}

/** The answer to a request whose `If-None-Match` names the current state. */
export const NOT_MODIFIED: ZodOpenApiResponseObject = { description: "It matches `If-None-Match`." };

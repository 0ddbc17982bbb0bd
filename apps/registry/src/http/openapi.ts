import * as z from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";

import type { Route } from "./route.ts";

const IF_NONE_MATCH = {
  "If-None-Match": z.string().optional().meta({ description: "The ETags of the copies that the client has." }),
};
const IF_MATCH = { "If-Match": z.string().optional().meta({ description: "The agent's expected ETag." }) };
const IDEMPOTENCY_KEY = {
  "Idempotency-Key": z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .optional()
    .meta({
      description:
        "A name for this change, such as a UUID. A repetition with the same key, path and body within 24 hours gets the answer to the " +
        "accepted change, with `Idempotent-Replayed: true`, and consumes no version; another request with this name is answered with 422.",
    }),
};
const LAST_EVENT_ID = {
  "Last-Event-ID": z.string().optional().meta({ description: "The id of the last event that the client received." }),
};

/** Returns the OpenAPI 3.1 document for routes, built from the schemas that parse their requests. */
export function openApiOf(routes: readonly Route[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const { method, path, params, query, operation } of routes) {
    const responses = operation.responses;
    const headers = {
      ...("304" in responses && IF_NONE_MATCH),
      ...("412" in responses && IF_MATCH),
      ...(operation.security !== undefined && IDEMPOTENCY_KEY),
      ...(path === "/events" && LAST_EVENT_ID),
    };
    paths[path] = {
      ...paths[path],
      [method]: { ...operation, requestParams: { path: params, query, header: z.object(headers) } },
    };
  }
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "agentprint registry",
      version: "1.0.0",
      description:
        "Agents' Capability Manifests: versions, breaking changes, consent, and a history that can be verified.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", bearerFormat: "hsk_…" } },
    },
  });
}

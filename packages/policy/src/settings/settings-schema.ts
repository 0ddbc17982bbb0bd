import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { DEFAULT_LIMITS, DEFAULT_SETTLE } from "@agentprint/mcp";
import type { SETTINGS, VisitSettings } from "./settings.ts";

/** The default number of servers that are visited at the same time. */
export const DEFAULT_CONCURRENCY = 4;
/** The longest time that a Node timer can wait, in seconds. */
const MAX_SECONDS = 2_147_483;
/** The maximum number of configurations in a document. */
const MAX_CONFIGURATIONS = 1000;
/** The maximum number of varying members in a document. */
const MAX_VARYING = 1000;
/** The maximum number of reviewers in a document. */
const MAX_REVIEWERS = 1000;
/** The maximum number of a server's omitted resources in a document. */
const MAX_RESOURCES = 1000;
/** The maximum number of public keys of one person or one server. */
export const MAX_KEYS = 64;
/** Matches the Base64 of an Ed25519 key by RFC 8410. */
export const PUBLIC_KEY = "^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$";
/** Matches a relative path with `/` between folders and without `..`. */
export const BELOW_FOLDER = "^(?![A-Za-z]:)(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\p{Cc}]{1,1000}$";

/** The JSON Schema keywords that settings use. */
export type SettingSchema = JsonObject & {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly maxProperties?: number;
  readonly description?: string;
};

/** The JSON Schema of an omitted resource's URI. */
export const RESOURCE_SCHEMA: SettingSchema = { type: "string", minLength: 1 };

/** The JSON Schema of a server's omitted resources. */
export const RESOURCES_SCHEMA: SettingSchema = {
  type: "array",
  minItems: 1,
  maxItems: MAX_RESOURCES,
  items: RESOURCE_SCHEMA,
};

/** The JSON Schema of each visit setting. Times are in seconds. */
export const VISIT_SCHEMAS: Readonly<Record<keyof VisitSettings, SettingSchema>> = {
  concurrency: {
    ...count(DEFAULT_CONCURRENCY),
    maximum: 1000,
    description: "How many servers are visited at the same time.",
  },
  protocol: {
    type: "string",
    minLength: 1,
    default: "auto",
    description: "A protocol version such as 2026-07-28, or auto for both eras.",
  },
  views: {
    enum: ["client", "all"],
    description:
      "client: visits imitate the client of the lock. all: also a bare client. Default: all when a server is pinned, and client in all other visits.",
  },
  contents: {
    type: "boolean",
    default: false,
    description: "Whether text resources and prompts without required arguments are also read and pinned.",
  },
  connectTimeout: {
    ...seconds(DEFAULT_LIMITS.connectTimeout),
    description: "The longest time for start and initialize, in seconds.",
  },
  requestTimeout: {
    ...seconds(DEFAULT_LIMITS.requestTimeout),
    description: "The longest time for one request, in seconds.",
  },
  totalTimeout: {
    ...seconds(DEFAULT_LIMITS.totalTimeout),
    description: "The longest time for one server, from start to end, in seconds.",
  },
  probeTimeout: {
    ...seconds(),
    description:
      "The longest time for the first answer of an era, in seconds. Default: twice the time of the other era, and at least 1.",
  },
  settle: {
    ...seconds(DEFAULT_SETTLE),
    minimum: 0,
    description: "How long a visit listens for changes after the last answer, in seconds.",
  },
  maxBytes: { ...count(DEFAULT_LIMITS.maxBytes), description: "The maximum number of bytes that one server may send." },
  maxItems: {
    ...count(DEFAULT_LIMITS.maxItems),
    description: "The maximum number of tools, prompts, resources or resource templates of one server.",
  },
  maxPages: { ...count(DEFAULT_LIMITS.maxPages), description: "The maximum number of pages in one list." },
  vary: {
    type: "array",
    maxItems: MAX_VARYING,
    items: {
      type: "string",
      pattern: "^[^/#]+/(?:greeting|(?:tool|prompt|resource)/[^/#]+)#/",
      description: "<server>/<tool, prompt or resource>/<name>#<pointer>, or <server>/greeting#/instructions",
    },
    description:
      "Members that a pinned server may answer differently at each start, such as docs/tool/search#/description. The entry then names them, and only the entry counts.",
  },
  leaveOut: {
    type: "object",
    additionalProperties: RESOURCES_SCHEMA,
    description:
      "The URIs of resources that are not pinned, such as one with a token in it, by the names of their servers. A guard treats them as new.",
  },
};

/** The visit settings that are times. */
export const TIMES: ReadonlySet<string> = new Set<keyof VisitSettings>([
  "connectTimeout",
  "requestTimeout",
  "totalTimeout",
  "probeTimeout",
  "settle",
]);

/** The JSON Schema of a configuration's path. */
export const PATH_SCHEMA: SettingSchema = {
  type: "string",
  pattern: BELOW_FOLDER,
  description: "a path below the folder of the lock, with / between folders and without a .. in it",
};

/** The JSON Schema of a public key. */
export const KEY_SCHEMA: SettingSchema = {
  type: "string",
  pattern: PUBLIC_KEY,
  description: "an Ed25519 key as SubjectPublicKeyInfo in Base64",
};

/** The JSON Schema of a reviewer's keys. */
export const KEYS_SCHEMA: SettingSchema = {
  type: "array",
  minItems: 1,
  maxItems: MAX_KEYS,
  uniqueItems: true,
  items: KEY_SCHEMA,
};

/** The JSON Schema of a reviewer's name. */
export const REVIEWER_SCHEMA: SettingSchema = { type: "string", minLength: 1 };

/** The JSON Schema of each setting in a document. */
export const SETTINGS_SCHEMAS: Readonly<Record<(typeof SETTINGS)[number], SettingSchema>> = {
  visits: {
    type: "object",
    properties: VISIT_SCHEMAS,
    additionalProperties: false,
    description: "How servers are visited by init, pin, check, approve and diff.",
  },
  configurations: {
    type: "array",
    maxItems: MAX_CONFIGURATIONS,
    items: PATH_SCHEMA,
    description:
      "Configurations of clients in other folders, such as services/search/.mcp.json, which are compared with the lock like those in its own folder.",
  },
  reviewers: {
    type: "object",
    maxProperties: MAX_REVIEWERS,
    propertyNames: REVIEWER_SCHEMA,
    additionalProperties: KEYS_SCHEMA,
    description: "The public Ed25519 keys of those who attest entries of the lock, by their names.",
  },
};

function count(value: number): SettingSchema {
  return { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: value };
}

function seconds(milliseconds?: number): SettingSchema {
  return {
    type: "number",
    minimum: 0.001,
    maximum: MAX_SECONDS,
    ...(milliseconds !== undefined && { default: milliseconds / 1000 }),
  };
}

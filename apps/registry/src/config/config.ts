import { readFileSync } from "node:fs";
import * as z from "zod";
import { isTarget } from "../elsewhere/target.ts";
import { RegistryError } from "../errors.ts";

/** The prefix of settings in the environment, as in `AGENTPRINT_REGISTRY_PORT`. */
const PREFIX = "AGENTPRINT_REGISTRY_";
const CONFIG_VARIABLE = `${PREFIX}CONFIG`;

const whole = (minimum: number, maximum = 2 ** 31 - 1) => z.coerce.number().int().min(minimum).max(maximum);
const list = z.preprocess(
  (value) =>
    typeof value === "string"
      ? value
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== "")
      : value,
  z.array(z.string()),
);

const Config = z.strictObject({
  /** `file:<path>` or `postgres://…`. */
  database: z
    .string()
    .regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/s, "expected file:<path> or postgres://…")
    .default("file:registry.db"),
  host: z.string().min(1).default("127.0.0.1"),
  port: whole(0, 65_535).default(8787),
  /** The registry's name in its checkpoints: a domain, optionally with a path. */
  name: z
    .string()
    .regex(/^[^\s+]+$/, "expected a name without white space or +")
    .default("localhost/agentprint-registry"),
  /** The file with the key that signs checkpoints. For SQLite, a missing file is created next to the database. */
  signer_key_file: z.string().min(1).optional(),
  /** The destination of checkpoints: a folder that another machine owns, or an https: URL. */
  checkpoint_to: z
    .string()
    .refine(isTarget, "expected a folder, an https: URL, or an http: URL of this machine")
    .optional(),
  checkpoint_interval_seconds: whole(1).default(60),
  /** Origins whose pages may call the registry from a browser; none by default. */
  cors_origins: list.default([]),
  /** The number of proxies in front of the registry that add to X-Forwarded-For. */
  trusted_proxies: whole(0, 10).default(0),
  /** The cost that requests from one address may have per minute. */
  address_limit: whole(1).default(600),
  /** The cost that changes with one key may have per minute. */
  key_limit: whole(1).default(120),
  /** The most requests per minute from one address with a wrong token. */
  failure_limit: whole(1).default(20),
  /** The most event streams that may be open at the same time. */
  stream_limit: whole(1).default(1000),
  /** The most open event streams from one address. */
  address_stream_limit: whole(1).default(100),
  log_level: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  /** The address of an OTLP collector for traces over HTTP; none by default. */
  otel_endpoint: z.url({ protocol: /^https?$/ }).optional(),
});

/** A registry's settings; each has a default. */
export type Config = z.output<typeof Config>;

/**
 * Returns the settings from a file and the environment, which takes precedence.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` naming each setting that is wrong or unknown, but never its
 * value.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  file = env[CONFIG_VARIABLE],
  more: Readonly<Record<string, string>> = {},
): Config {
  const fromFile = file === undefined ? {} : readConfigFile(file);
  const fromEnv = Object.entries(env)
    .filter(
      ([name, value]) => name.startsWith(PREFIX) && name !== CONFIG_VARIABLE && value !== undefined && value !== "",
    )
    .map(([name, value]) => [name.slice(PREFIX.length).toLowerCase(), value] as const);
  const parsed = Config.safeParse({ ...fromFile, ...Object.fromEntries(fromEnv), ...more });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown setting ${issue.keys.join(", ")}`
      : `${issue.path.join(".")}: ${issue.message}`,
  );
  throw new RegistryError("INVALID_CONFIGURATION", `configuration: ${problems.join("; ")}`);
}

function readConfigFile(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? "it is no JSON" : String((cause as NodeJS.ErrnoException).code);
    throw new RegistryError("INVALID_CONFIGURATION", `cannot read the configuration ${path}: ${reason}`, { cause });
  }
  throw new RegistryError("INVALID_CONFIGURATION", `expected a JSON object in the configuration ${path}`);
}

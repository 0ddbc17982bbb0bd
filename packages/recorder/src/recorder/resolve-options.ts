import { v7 } from "uuid";
import type { ContentKeys } from "../encrypt/content-keys.ts";
import { createMacKey, createSignatureKey, type EventKey } from "../envelope/event-keys.ts";
import { RecorderError } from "../errors.ts";
import { checkTarget } from "./checkpoints.ts";
import type { CheckpointTarget, RecorderOptions } from "./recorder-options.ts";

const MAX_GROUP_MS = 50;
const MAX_QUEUE_BYTES = 48 * 2 ** 20;
/** Matches file names that are valid on every system. */
const SESSION_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Options with their defaults. */
export type ResolvedOptions = Required<Omit<RecorderOptions, "checkpointTo" | "encrypt" | "key" | "thread">> & {
  readonly checkpointTo: CheckpointTarget | undefined;
  readonly encrypt: ContentKeys | undefined;
  readonly key: EventKey;
  /** The key's secret, if another thread may seal with it. */
  readonly secret: Uint8Array | undefined;
};

/** @throws {@link RecorderError} `invalid-option` with the name of the option, or `invalid-key`. */
export function resolveOptions(options: RecorderOptions): ResolvedOptions {
  const { store, key, agentId, sessionId = v7(), mode = "behind", checkpointTo, encrypt, thread = true } = options;
  const {
    groupMs = mode === "before" ? 0 : 20,
    maxQueueBytes = 32 * 2 ** 20,
    closeWithinMs = 5_000,
    onError = () => {},
  } = options;
  check("store", typeof store === "string" && store !== "", "a folder or the URL of a store");
  check("agentId", typeof agentId === "string" && agentId !== "", "a text");
  check(
    "sessionId",
    SESSION_ID.test(sessionId),
    "at most 128 letters, digits and . _ -, the first of which is not a dot",
  );
  check("mode", mode === "behind" || mode === "before", '"behind" or "before"');
  check("groupMs", groupMs >= 0 && groupMs <= MAX_GROUP_MS, `0 to ${MAX_GROUP_MS} milliseconds`);
  check("maxQueueBytes", maxQueueBytes > 0 && maxQueueBytes <= MAX_QUEUE_BYTES, `1 to ${MAX_QUEUE_BYTES} bytes`);
  check("closeWithinMs", closeWithinMs >= 0, "milliseconds");
  if (checkpointTo) checkTarget(checkpointTo);
  const secret = thread && key instanceof Uint8Array ? key : undefined;
  const eventKey = key instanceof Uint8Array ? createMacKey(key) : createSignatureKey(key);
  const checked = { store, agentId, sessionId, mode, groupMs, maxQueueBytes, closeWithinMs, onError, key: eventKey };
  return { ...checked, checkpointTo, encrypt, secret };
}

function check(path: keyof RecorderOptions, isGood: boolean, expected: string): void {
  if (isGood) return;
  throw new RecorderError("invalid-option", `${path}: expected ${expected}`, { path });
}

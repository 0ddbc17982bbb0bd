import { type CapabilityManifest, hashManifest, parseManifest } from "@agentprint/manifest";
import * as z from "zod";
import { RegistryClientError } from "../errors.ts";
import { asAsked, checked, nameOf } from "../names.ts";
import { readJson } from "../read-body.ts";
import type { ReadManifest } from "../registry-client.ts";
import { versionAnswerSchema } from "./answer-schemas.ts";
import type { VersionAnswer, VersionName } from "./answers.ts";

// The manifest package parses the manifest and computes its hash.
const Version = versionAnswerSchema(z.unknown());

/**
 * Reads a registry's answer about a version of an agent, from any source.
 *
 * @param text - the body: strict JSON of at most 32 MiB
 * @param asked - the agent and the version that were requested; an absent member matches any
 * @returns the manifest, whose hash was recomputed, and its name
 * @throws {@link RegistryClientError} `invalid-answer` when the answer is malformed, does not match the request, or has
 * a manifest that is not accepted or does not match its hash.
 */
export function readVersionAnswer(
  text: string | Uint8Array,
  asked: Partial<Pick<VersionName, "agent_id" | "capability_manifest_version">> = {},
): ReadManifest {
  return verifiedManifest(versionAnswerOf(readJson(text), asked));
}

/** @throws {@link RegistryClientError} `invalid-answer` when `value` is not an answer to the request. */
export function versionAnswerOf(value: unknown, asked: Partial<VersionName>): VersionAnswer {
  return asAsked<VersionAnswer>(checked(Version, value), asked);
}

/** @throws {@link RegistryClientError} `invalid-answer` when the manifest is not accepted or does not match its hash. */
export function verifiedManifest(answer: VersionAnswer): ReadManifest {
  const name = nameOf(answer);
  return { ...name, manifest: manifestOf(answer.manifest, name.capability_manifest_hash) };
}

function manifestOf(manifest: unknown, hash: string): CapabilityManifest {
  const parsed = parseManifest(manifest);
  if (parsed.ok && hashManifest(parsed.manifest) === hash) return parsed.manifest;
  throw new RegistryClientError("invalid-answer", `the registry sent a manifest that does not have the hash ${hash}`);
}

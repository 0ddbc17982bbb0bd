import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { ArtifactError } from "../errors.ts";
import { objectAt, objectIn, textAt, unreadable } from "../json-file.ts";
import { readImageName } from "./image-name.ts";

/** The digests of an image in a registry. */
export interface DescribedImage {
  /** The digest of what the tag names: the index of several platforms, or one manifest. */
  readonly integrity: string;
  /** The digests of manifests by platform; absent where the tag names one manifest. */
  readonly files?: Readonly<Record<string, string>>;
}

/** In milliseconds. */
const TIME_LIMIT = 30_000;
/** The longest answer, in bytes. Registries refuse longer manifests. */
const MAX_BYTES = 4 * 1024 * 1024;
const ACCEPTED = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * Asks the registry of an image for the digests of a tag or digest, as a client without a login.
 *
 * @param name The name of the image, with its registry where that is not Docker Hub
 * @param reference A tag or a digest
 * @throws {@link ArtifactError} `not-found` when the registry has no such image, or shows it to no client without a login;
 * `no-answer` when it does not answer; `unreadable` when the answer has another digest or form
 */
export async function askImageRegistry(name: string, reference: string, signal?: AbortSignal): Promise<DescribedImage> {
  const { registry, repository } = readImageName(name);
  const url = `${registry}/v2/${repository}/manifests/${reference}`;
  const first = await get(url, {}, signal);
  const token = first.status === 401 ? await tokenOf(first, repository, signal) : undefined;
  const response = token === undefined ? first : await get(url, { authorization: `Bearer ${token}` }, signal);
  const title = `${name} ${reference}`;
  if (response.status === 404 || response.status === 401 || response.status === 403) {
    throw new ArtifactError("not-found", `the registry shows no image ${title} without a login`);
  }
  if (!response.ok) throw new ArtifactError("no-answer", `the registry answered ${response.status} for ${title}`);
  const body = await bytesOf(response, title);
  const integrity = `sha256:${createHash("sha256").update(body).digest("hex")}`;
  const named = reference.startsWith("sha256:")
    ? reference
    : (response.headers.get("docker-content-digest") ?? integrity);
  if (named !== integrity) throw unreadable(title, new Error(`the registry calls ${integrity} ${named}`));
  const files = platformsOf(objectIn(new TextDecoder().decode(body), title));
  return { integrity, ...(Object.keys(files).length > 0 && { files }) };
}

async function get(url: string, headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Response> {
  const limit = AbortSignal.timeout(TIME_LIMIT);
  try {
    return await fetch(url, {
      headers: { accept: ACCEPTED, ...headers },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArtifactError("no-answer", `the registry at ${new URL(url).host} does not answer: ${reason}`, error);
  }
}

/** The token that a registry gives to everybody, from the place that its challenge names. */
async function tokenOf(
  refused: Response,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const named = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]));
  const realm = named.get("realm");
  if (!/^bearer /i.test(challenge) || realm === undefined || !/^https?:/.test(realm) || !URL.canParse(realm))
    return undefined;
  const place = new URL(realm);
  const service = named.get("service");
  if (service !== undefined) place.searchParams.set("service", service);
  place.searchParams.set("scope", `repository:${repository}:pull`);
  const response = await get(place.href, {}, signal);
  if (!response.ok) return undefined;
  const answer = objectIn(new TextDecoder().decode(await bytesOf(response, place.host)), `the token of ${place.host}`);
  return textAt(answer, "token") ?? textAt(answer, "access_token");
}

async function bytesOf({ body }: Response, where: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unreadable(where, new Error(`it has more than ${MAX_BYTES} bytes`));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The digests of the manifests of an index, by platform: `linux/amd64`, `linux/arm/v7`. */
function platformsOf(index: JsonObject): Record<string, string> {
  const { manifests } = index;
  const all = Array.isArray(manifests) ? manifests.filter(isJsonObject) : [];
  return Object.fromEntries(
    all.flatMap((manifest) => {
      const platform = objectAt(manifest, "platform");
      const parts = ["os", "architecture", "variant"].flatMap((name) => textAt(platform, name) ?? []);
      const digest = textAt(manifest, "digest");
      // The description of a build is no platform.
      return digest === undefined || parts.length < 2 || parts[0] === "unknown" ? [] : [[parts.join("/"), digest]];
    }),
  );
}

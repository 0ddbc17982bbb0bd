import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { isLoopback, literalAddress, lookupWithin, mayName, type Reach, reachOf } from "@agentprint/mcp-auth/reach";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch } from "undici";
import { ArtifactError } from "../errors.ts";
import { objectAt, objectIn, textAt, unreadable } from "../json-file.ts";

/** The digests that a registry has for an image. */
export interface DescribedImage {
  /** The digest that the tag refers to: an index of several platforms, or a single manifest. */
  readonly integrity: string;
  /** The digests of the manifests, by platform; absent if the tag refers to a single manifest. */
  readonly files?: Readonly<Record<string, string>>;
}

/** In milliseconds. */
const TIME_LIMIT = 30_000;
/** The maximum number of redirects that a request follows. */
const MAX_REDIRECTS = 5;
/** The maximum size of an answer, in bytes. Registries refuse longer manifests. */
const MAX_BYTES = 4 * 1024 * 1024;
const ACCEPTED = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * Gets an image's digests for a tag or digest from its registry, as a client without a login.
 *
 * @param name The name of the image, including its registry unless that is Docker Hub
 * @param reference A tag or a digest
 * @throws {@link ArtifactError} `not-found` if the registry does not have the image, or hides it from clients without a
 * login; `no-answer` if the registry does not answer; `unreadable` if the answer is malformed or has a different digest
 */
export async function askImageRegistry(name: string, reference: string, signal?: AbortSignal): Promise<DescribedImage> {
  const { registry, repository } = readImageName(name);
  const reach = await reachOfRegistry(new URL(registry));
  // The addresses that a host name resolves to are checked when a connection is made.
  const options = { connect: { lookup: lookupWithin(reach) } };
  const dispatcher = process.env["NODE_USE_ENV_PROXY"] === "1" ? new EnvHttpProxyAgent(options) : new Agent(options);
  try {
    return await ask({ dispatcher, reach, signal }, { registry, repository, name, reference });
  } finally {
    await dispatcher.destroy();
  }
}

/** Returns the reach of the registry that the user named, which is the reach of its nearest address. */
async function reachOfRegistry(registry: URL): Promise<Reach> {
  const literal = literalAddress(registry);
  if (literal !== undefined) return reachOf(literal);
  if (isLoopback(registry)) return "loopback";
  const found = await lookup(registry.hostname, { all: true }).catch(() => []);
  const all = found.map(({ address }) => reachOf(address));
  return (["loopback", "private"] as const).find((reach) => all.includes(reach)) ?? "public";
}

/** How the registry is queried. */
interface Asking {
  readonly dispatcher: Dispatcher;
  /** The registry's reach: it may not name an address that is nearer to this machine. */
  readonly reach: Reach;
  readonly signal: AbortSignal | undefined;
}

interface AskedImage {
  readonly registry: string;
  readonly repository: string;
  readonly name: string;
  readonly reference: string;
}

async function ask(asking: Asking, { registry, repository, name, reference }: AskedImage): Promise<DescribedImage> {
  const url = `${registry}/v2/${repository}/manifests/${reference}`;
  const first = await get(url, {}, asking);
  const token = first.status === 401 ? await tokenOf(first, repository, asking) : undefined;
  const response = token === undefined ? first : await get(url, { authorization: `Bearer ${token}` }, asking);
  const title = `${name} ${reference}`;
  if (response.status === 404 || response.status === 401 || response.status === 403) {
    throw new ArtifactError("not-found", `the registry does not show the image ${title} without a login`);
  }
  if (!response.ok) throw new ArtifactError("no-answer", `the registry answered ${response.status} for ${title}`);
  const body = await bytesOf(response, title);
  const integrity = `sha256:${createHash("sha256").update(body).digest("hex")}`;
  const named = reference.startsWith("sha256:")
    ? reference
    : (response.headers.get("docker-content-digest") ?? integrity);
  if (named !== integrity) {
    throw unreadable(title, new Error(`the answer has the digest ${integrity} instead of ${named}`));
  }
  const files = platformsOf(objectIn(new TextDecoder().decode(body), title));
  return { integrity, ...(Object.keys(files).length > 0 && { files }) };
}

/**
 * Sends a request, and follows its redirects to addresses that the registry may name; no other origin receives the
 * token.
 *
 * @throws {@link ArtifactError} `no-answer`
 */
async function get(
  url: string,
  headers: Record<string, string>,
  { dispatcher, reach, signal }: Asking,
): Promise<Response> {
  const limit = AbortSignal.timeout(TIME_LIMIT);
  const ending = signal ? AbortSignal.any([signal, limit]) : limit;
  let place = new URL(url);
  const { origin } = place;
  for (let redirects = 0; ; redirects++) {
    refuseNearer(place, reach);
    const own = place.origin === origin ? headers : {};
    const options = { headers: { accept: ACCEPTED, ...own }, redirect: "manual", dispatcher, signal: ending } as const;
    const response = await fetch(place, options).catch((error: unknown) => noAnswer(place, error));
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) return response as unknown as Response;
    await response.body?.cancel();
    const isLast = redirects === MAX_REDIRECTS || !URL.canParse(location, place.href);
    if (isLast) throw new ArtifactError("no-answer", `the registry at ${place.host} redirects endlessly`);
    place = new URL(location, place);
  }
}

/**
 * @throws {@link ArtifactError} `no-answer` if an address is nearer to this machine than the registry that named it.
 */
function refuseNearer(place: URL, reach: Reach): void {
  if (!/^https?:$/.test(place.protocol)) {
    throw new ArtifactError("no-answer", `the registry names ${place.protocol} instead of an HTTP address`);
  }
  const address = literalAddress(place);
  if (address === undefined || mayName(reach, reachOf(address))) return;
  const why = `${place.host} is refused: a ${reach} registry redirects to a ${reachOf(address)} address`;
  throw new ArtifactError("no-answer", why);
}

function noAnswer(place: URL, error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new ArtifactError("no-answer", `the registry at ${place.host} does not answer: ${reason}`, error);
}

/** Returns the token that a registry gives to everyone, from the address that its challenge names. */
async function tokenOf(refused: Response, repository: string, asking: Asking): Promise<string | undefined> {
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const named = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]));
  const realm = named.get("realm");
  if (!/^bearer /i.test(challenge) || realm === undefined || !/^https?:/.test(realm) || !URL.canParse(realm))
    return undefined;
  const place = new URL(realm);
  const service = named.get("service");
  if (service !== undefined) place.searchParams.set("service", service);
  place.searchParams.set("scope", `repository:${repository}:pull`);
  const response = await get(place.href, {}, asking);
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

/** Returns the digests of an index's manifests, by platform: `linux/amd64`, `linux/arm/v7`. */
function platformsOf(index: JsonObject): Record<string, string> {
  const { manifests } = index;
  const all = Array.isArray(manifests) ? manifests.filter(isJsonObject) : [];
  return Object.fromEntries(
    all.flatMap((manifest) => {
      const platform = objectAt(manifest, "platform");
      const parts = ["os", "architecture", "variant"].flatMap((name) => textAt(platform, name) ?? []);
      const digest = textAt(manifest, "digest");
      // A build's attestation is not a platform.
      return digest === undefined || parts.length < 2 || parts[0] === "unknown" ? [] : [[parts.join("/"), digest]];
    }),
  );
}

/** An image's place in a registry. */
interface ImageName {
  /** The address of the registry, such as `https://registry-1.docker.io`. */
  readonly registry: string;
  readonly repository: string;
}

/** Returns the place that an image name refers to, as Docker reads it: a name without a registry is on Docker Hub. */
function readImageName(name: string): ImageName {
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  if (!isHost || first === "docker.io") {
    const repository = isHost ? rest.join("/") : name;
    return {
      registry: "https://registry-1.docker.io",
      repository: repository.includes("/") ? repository : `library/${repository}`,
    };
  }
  // Docker uses plain HTTP only for the local machine.
  const scheme = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(first) ? "http" : "https";
  return { registry: `${scheme}://${first}`, repository: rest.join("/") };
}

import { checkLaunch } from "../check-argument.ts";
import type { Launch } from "../launch.ts";
import { launchedPackages } from "../launched-packages.ts";
import { MAX_ADDRESS_LENGTH } from "../limits.ts";
import { REDACTED, redactLaunch } from "./redact-launch.ts";
import { redactText } from "./redact-text.ts";
import { kindOfName } from "./secret-names.ts";

/** Why a text looks like a secret: it is random, it contains an encoded secret, or it is where secrets usually are. */
export type SuspicionReason = "random-text" | "encoded-secret" | "behind-secret-name" | "password-in-address";

/** A place in a launch that may contain a secret which {@link redactLaunch} does not replace. */
export interface SuspectedSecret {
  /** JSON Pointer into the launch, such as `/args/2`. */
  readonly pointer: string;
  readonly reason: SuspicionReason;
}

const WORD = /[A-Za-z0-9+_=-]{16,2048}/g;
/** Matches digests of images and packages, which are random but not secret. */
const DIGEST = /(?:sha(?:1|256|384|512)[:-])[A-Za-z0-9+/=]+/g;
/** Matches an image's name without its tag; container programs refuse capital letters in it. */
const IMAGE = /^[a-z0-9._:/-]+$/;
/** Bits per character: names of packages and folders have fewer, and 20 random hexadecimal digits have more. */
const RANDOM_ENTROPY = 3;
const ADDRESS = /(?:^|[\s"'=/])[^\s:/@"'<>]+:[^\s:@"'<>]+@[A-Za-z0-9.-]+\.[a-z]|:\/\/[^\s:@"'<>]+:[^\s@"'<>]+@/;

/**
 * Returns the places in a launch that look like a secret but that {@link redactLaunch} does not replace, for a warning
 * before the launch is written to a file. The places are guesses, so no digest depends on them. An image's name is not
 * a secret, even after `-e API_KEY`, but its tag may be one.
 *
 * @example
 * ```ts
 * import { suspectedSecrets } from "@agentprint/launch";
 *
 * suspectedSecrets({ type: "http", url: "https://x.test/s/NjM2YTk4ZDItOGU0Zi/mcp", headers: [] });
 * // [{ pointer: "/url", reason: "random-text" }]
 * ```
 */
export function suspectedSecrets(launch: Launch): SuspectedSecret[] {
  checkLaunch("launch", launch);
  const redacted = redactLaunch(launch);
  if (redacted.type === "http") return suspect("/url", redacted.url, undefined);
  const { command, args, cwd } = redacted;
  const images = imagesOf(redacted);
  return [
    ...suspect("/command", command, undefined),
    ...args.flatMap((argument, index) => {
      const pointer = `/args/${index}`;
      const image = images.get(pointer);
      return image === undefined
        ? suspect(pointer, argument, args[index - 1])
        : suspect(pointer, argument.slice(image.length), undefined);
    }),
    ...(cwd === undefined ? [] : suspect("/cwd", cwd, undefined)),
  ];
}

/** Returns the names of the images that a launch runs, by the index of the argument. */
function imagesOf(launch: Extract<Launch, { type: "stdio" }>): ReadonlyMap<string, string> {
  const images = launchedPackages(launch).filter(({ kind, package: name }) => kind === "image" && IMAGE.test(name));
  const words = new Map(launch.args.map((argument, index) => [`/args/${index}`, argument]));
  return new Map(
    images
      .filter(({ pointer, specifier }) => words.get(pointer) === specifier)
      .map(({ pointer, package: name }) => [pointer, name]),
  );
}

function suspect(pointer: string, text: string, previous: string | undefined): SuspectedSecret[] {
  const reason = reasonOf(text, previous);
  return reason === undefined ? [] : [{ pointer, reason }];
}

function reasonOf(text: string, previous: string | undefined): SuspicionReason | undefined {
  const shown = text.replaceAll(REDACTED, " ").replace(DIGEST, "");
  if (ADDRESS.test(shown.slice(0, MAX_ADDRESS_LENGTH))) return "password-in-address";
  if (previous !== undefined && isValueOf(previous, shown)) return "behind-secret-name";
  if (hidesSecret(shown)) return "encoded-secret";
  return [...shown.matchAll(WORD)].some(([word]) => isRandom(word)) ? "random-text" : undefined;
}

/**
 * Returns whether the text is the value of the previous argument, which is a secret name without dashes or curl's flag
 * for a login.
 */
function isValueOf(previous: string, text: string): boolean {
  if (/^(?:-u|-U|--user|--proxy-user)$/.test(previous)) return /^[^\s:/]+:(?!\d+$)[^\s:]+$/.test(text);
  return (
    /^[\w.-]+$/.test(previous) && /^[\w.+/=-]{6,}$/.test(text) && kindOfName(previous) === "secret" && !/^-/.test(text)
  );
}

function hidesSecret(text: string): boolean {
  const percentDecoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (redactText(percentDecoded) !== percentDecoded) return true;
  return [...text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].some(([word]) => {
    const decoded = decodeBase64(word);
    return decoded !== undefined && redactText(decoded) !== decoded;
  });
}

function decodeBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isRandom(word: string): boolean {
  // An option's name ends at `=`, as in `--viewport=1440x900`; Base64 ends with it, too.
  const pieces = word.split(/[-_]|=(?!=*$)/);
  return (
    (pieces.some((piece) => piece.length >= 12 && isMixed(piece)) ||
      /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) &&
    isMixed(word) &&
    entropyOf(word) >= RANDOM_ENTROPY
  );
}

function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}

/** Returns a text's Shannon entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

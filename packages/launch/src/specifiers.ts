import type { LaunchedPackage, VersionPrecision } from "./launcher.ts";
import type { Word } from "./words.ts";

/** The package that a word names, and the part of the word that contains the version with the sign before it. */
export interface Specifier extends Pick<LaunchedPackage, "kind" | "package" | "version" | "versionText"> {
  /** The range in the word of the version with the sign before it; empty if the word contains no version. */
  readonly range: readonly [start: number, end: number];
  /** Returns the text for that range with another version; absent if no version can be named. */
  readonly pin?: (version: string) => string;
}

const EXACT_SEMVER = /^[v=]?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const COMMIT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/;

/** Reads `name`, `@scope/name@1.2.3`, `alias@npm:name@^1`, or a repository, archive or folder. */
export function npmSpecifier({ text }: Word): Specifier | undefined {
  const alias = /^@?[^@/]+(?:\/[^@/]+)?@npm:/.exec(text)?.[0].length ?? 0;
  const named = /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@([^@:/]*))?$/.exec(text.slice(alias));
  if (named === null || /^\.{1,2}$/.test(named[1] ?? "")) return repositorySpecifier("npm", text, text.indexOf("#"));
  const [, name = "", version] = named;
  const start = alias + name.length;
  return {
    kind: "npm",
    package: name,
    ...versionPart(version || undefined, npmPrecision),
    range: [start, text.length],
    pin: (pinned) => `@${pinned}`,
  };
}

function npmPrecision(version: string): VersionPrecision {
  if (EXACT_SEMVER.test(version)) return "exact";
  return /^[\s\d<>=~^*vxX]|\|\|/.test(version) ? "range" : "tag";
}

/** Reads `name`, `name[extra]==1.2.3`, `name>=1`, `name@1.2.3` as uvx writes it, or `name @ git+https://…@commit`. */
export function pythonSpecifier({ text }: Word): Specifier | undefined {
  const named = /^([A-Za-z0-9][\w.-]*(?:\[[\w.,\s-]*\])?)\s*((?:===|[=~!<>]=|[<>]|@).*)?$/s.exec(text);
  const [, name = "", operation = ""] = named ?? [];
  if (named === null || /^@.*[:/\\]/s.test(operation) || /^[^=<>~!]*\.(?:whl|tar\.gz|zip)$/.test(text)) {
    return repositorySpecifier("python", text, text.replace(/#.*$/s, "").lastIndexOf("@"));
  }
  return {
    kind: "python",
    package: name,
    ...versionPart(operation.replace(/^(?:===?|@)\s*/, "") || undefined, () => pythonPrecision(operation)),
    range: [name.length, text.length],
    pin: (pinned) => `==${pinned}`,
  };
}

function pythonPrecision(operation: string): VersionPrecision {
  if (/^===?\s*[\w.!+-]+$/.test(operation)) return "exact";
  if (/^@\s*v?\d[\w.!+-]*$/.test(operation)) return "exact";
  return operation.startsWith("@") ? "tag" : "range";
}

/** Reads `name`, `host:5000/name:tag`, `name@sha256:…`. A tag can be moved to another image, but a digest cannot. */
export function imageSpecifier({ text }: Word): Specifier | undefined {
  const [, name, tag, digest] =
    /^([\w./-]+(?::\d+\/[\w./-]+)?)(?::([\w.-]+))?(?:@([a-z0-9+._-]+:[0-9a-f]{32,}))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const version = digest ?? tag;
  return {
    kind: "image",
    package: name,
    ...versionPart(version, () => (digest === undefined ? "tag" : "exact")),
    range: [name.length, text.length],
    pin: (pinned) => (pinned.includes(":") ? `@${pinned}` : `:${pinned}`),
  };
}

/** A Git repository; a commit pins its content. The fragment of another URL does not change the fetched content. */
const GIT =
  /^(?:[\w.[\],-]+\s*@\s*)?(?:git\+|git:|(?:github|gitlab|bitbucket|gist):|[a-z0-9][\w.-]*\/[\w.-]+#|https:\/\/(?:github\.com|gitlab\.com|bitbucket\.org)\/[\w.-]+\/[\w.-]+#)/i;

/** Reads a package from a repository or URL: exact if it names a commit. A path is a program that already exists. */
function repositorySpecifier(kind: "npm" | "python", text: string, sign: number): Specifier | undefined {
  if (
    !/^(?:[\w.[\],-]+\s*@\s*)?(?:[a-z][a-z0-9+.-]*:|[a-z0-9][\w.-]*\/[\w.-]+(?:#|$))/i.test(text) ||
    /^(?:[\w.[\],-]+\s*@\s*)?(?:file|link|portal|workspace):/i.test(text)
  )
    return undefined;
  const isBehindPath = sign > text.lastIndexOf("/");
  const commit = isBehindPath ? text.slice(sign + 1).replace(/[?#].*$/s, "") : undefined;
  const end = commit === undefined ? text.length : sign;
  return {
    kind,
    package: text.slice(0, end),
    ...versionPart(commit || undefined, (version) => (COMMIT.test(version) && GIT.test(text) ? "exact" : "tag")),
    range: [end, text.length],
  };
}

function versionPart(
  text: string | undefined,
  precisionOf: (text: string) => VersionPrecision,
): Pick<Specifier, "version" | "versionText"> {
  return text === undefined ? { version: "none" } : { version: precisionOf(text), versionText: text };
}

import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";
import type { FoundArtifact, LockedArtifact } from "@agentprint/launch";
import { checkArgument } from "../check-argument.ts";
import { readTitle } from "./package-title.ts";

/**
 * A package whose version differs. `before` and `after` hold its name and version, and its integrity if that is known.
 */
interface MovedArtifact {
  readonly pointer: string;
  readonly before: string;
  readonly after: string;
}

/** The result of comparing locked artifacts with those that would run. */
export interface ComparedArtifacts {
  /** The packages with different bytes under the same version, each with the pointer to the word that names it. */
  readonly changes: readonly JsonChange[];
  /** The new files of a release that this machine does not run. */
  readonly added: readonly JsonChange[];
  /** The packages whose installed version is different now, although the launch does not name their versions. */
  readonly moved: readonly MovedArtifact[];
  /** The packages whose bytes are unknown because the package that would run has no integrity. */
  readonly untold: readonly string[];
}

/** Returns whether the lock identifies the bytes of an artifact, by an integrity or by the digests of its files. */
export function hasIntegrity(artifact: LockedArtifact): boolean {
  checkArgument("artifact", artifact, "object");
  const { integrity, files } = artifact;
  return integrity !== undefined || files !== undefined;
}

/** Returns the artifacts in the form that an entry holds: without facts about a single machine, sorted by pointer. */
export function lockedArtifacts(artifacts: readonly (LockedArtifact | FoundArtifact)[]): LockedArtifact[] {
  return artifacts
    .map(({ pointer, kind, name, version, integrity, files, dependencies, scripts }) => ({
      pointer,
      kind,
      name,
      version,
      ...(integrity !== undefined && { integrity }),
      ...(files && { files }),
      ...(dependencies && { dependencies }),
      ...(scripts && { scripts }),
    }))
    .sort((a, b) => compareCodeUnits(a.pointer, b.pointer));
}

/** Compares an entry's artifacts with those that its launch now resolves to. */
export function compareArtifacts(
  before: readonly LockedArtifact[],
  after: readonly (LockedArtifact | FoundArtifact)[],
): ComparedArtifacts {
  checkArgument("before", before, ["object"]);
  checkArgument("after", after, ["object"]);
  const parts = before.filter(hasIntegrity).flatMap((locked) => compareOne(locked, after));
  return {
    changes: parts.flatMap(({ changes = [] }) => changes),
    added: parts.flatMap(({ added = [] }) => added),
    moved: parts.flatMap(({ moved = [] }) => moved),
    untold: parts.flatMap(({ untold = [] }) => untold),
  };
}

/**
 * Returns the packages installed for a launch that its entry does not pin with the same bytes, either as an artifact or
 * as a dependency of one.
 *
 * @param installed The integrity of each installed package, by name and version
 */
export function unpinnedPackages(
  locked: readonly LockedArtifact[],
  installed: Readonly<Record<string, string>>,
): readonly JsonChange[] {
  checkArgument("locked", locked, ["object"]);
  checkArgument("installed", installed, "object");
  const known = new Map(
    locked.flatMap((artifact) => [
      ...Object.entries(artifact.dependencies ?? {}),
      [titleOf(artifact), artifact.integrity ?? ""] as const,
    ]),
  );
  const pointer = locked[0]?.pointer ?? "";
  return Object.entries(installed).flatMap(([title, now]) => {
    const before = known.get(title);
    if (before !== undefined && isSameIntegrity(before, now)) return [];
    return [{ pointer, ...(before !== undefined && { before: `${title} ${before}` }), after: `${title} ${now}` }];
  });
}

/**
 * Returns the packages whose install scripts may run after a change but not before it. Fewer scripts are not a change,
 * because no bytes are added.
 */
export function addedScripts(
  before: readonly LockedArtifact[],
  after: readonly LockedArtifact[],
): readonly JsonChange[] {
  const known = new Set(before.flatMap(({ scripts = [] }) => scripts));
  return after.flatMap(({ pointer, scripts = [] }) => {
    const fresh = scripts.filter((name) => !known.has(name));
    return fresh.map((name) => ({ pointer, after: `the install scripts of ${name}` }));
  });
}

/**
 * Returns the locked artifacts if the found ones have the same bytes, so that different versions of dependencies do not
 * change the digest.
 */
export function agreedArtifacts(
  locked: readonly LockedArtifact[],
  found: readonly (LockedArtifact | FoundArtifact)[],
): readonly LockedArtifact[] {
  checkArgument("locked", locked, ["object"]);
  checkArgument("found", found, ["object"]);
  const lists = Object.values(compareArtifacts(locked, found));
  const isSame = lists.every(({ length }) => length === 0) && found.length === locked.length;
  return isSame && locked.every(hasIntegrity) === found.every(hasIntegrity) ? locked : found;
}

/** The result of comparing one artifact. */
type Part = Partial<ComparedArtifacts>;

function compareOne(locked: LockedArtifact, after: readonly (LockedArtifact | FoundArtifact)[]): Part[] {
  const { pointer } = locked;
  const found = after.find((each) => each.pointer === pointer);
  if (found === undefined || !hasIntegrity(found)) return [{ untold: [titleOf(locked)] }];
  if (titleOf(found) !== titleOf(locked)) {
    return [{ moved: [{ pointer, before: wholeOf(locked), after: wholeOf(found) }] }];
  }
  return [
    compareIntegrity(locked, found),
    compareFiles(locked, found),
    { changes: compareNames(pointer, locked.dependencies, found.dependencies) },
    compareResolved(locked, found),
    { changes: addedScripts([locked], [found]) },
  ];
}

/** Returns `name@1.2.3`, or `name@sha256:…` for an image with a digest. */
export function titleOf({ name, version }: LockedArtifact): string {
  return `${name}@${version}`;
}

/** Returns `name@1.2.3 sha512-…`, without the integrity if it is not known. */
export function wholeOf(artifact: LockedArtifact): string {
  return [titleOf(artifact), artifact.integrity].filter((part) => part !== undefined).join(" ");
}

function compareIntegrity(locked: LockedArtifact, found: LockedArtifact): Part {
  const { integrity: before } = locked;
  const { integrity: after } = found;
  if (before === undefined) return {};
  if (after === undefined) return { untold: found.files && locked.files ? [] : [titleOf(locked)] };
  const isSame = isSameIntegrity(before, after);
  if (isSame === undefined) return { untold: [titleOf(locked)] };
  return isSame ? {} : { changes: [{ pointer: locked.pointer, before: wholeOf(locked), after: wholeOf(found) }] };
}

/** The algorithms that an integrity can use, strongest first. */
const ALGORITHMS = ["sha512", "sha384", "sha256", "sha1"];

/**
 * Returns whether two integrities identify the same bytes, by the strongest algorithm that both have; `undefined` if
 * they have none in common.
 */
export function isSameIntegrity(before: string, after: string): boolean | undefined {
  if (before === after) return true;
  const [one, other] = [tokensOf(before), tokensOf(after)];
  const shared = ALGORITHMS.find((algorithm) => one.has(algorithm) && other.has(algorithm));
  return shared === undefined ? undefined : one.get(shared) === other.get(shared);
}

/** Returns the digests by their algorithm. With two of one algorithm, either file would do, so both are compared. */
function tokensOf(integrity: string): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const token of integrity.split(/\s+/)) {
    const [, algorithm = "", digest = ""] = /^(\w+)[-:](.*)$/.exec(token) ?? [];
    tokens.set(algorithm, `${tokens.get(algorithm) ?? ""} ${digest}`);
  }
  return tokens;
}

/** Returns a change for each name that has different values on the two sides. */
export function compareNames(
  pointer: string,
  before: Readonly<Record<string, string>> = {},
  after: Readonly<Record<string, string>> = {},
): JsonChange[] {
  return Object.entries(before).flatMap(([name, value]) => {
    if (!Object.hasOwn(after, name)) return [];
    const now = after[name] as string;
    if (isSameIntegrity(value, now)) return [];
    return [{ pointer, before: `${name} ${value}`, after: `${name} ${now}` }];
  });
}

/**
 * Compares the packages that uv installs along with a package; uv resolves them again before each start. The tags after
 * `/` belong to a wheel for certain machines; a wheel whose tags are not in the lock is not a different file of the
 * same package, unless the locked wheel fits every machine.
 */
function compareResolved(locked: LockedArtifact, { dependencies: after }: LockedArtifact): Part {
  const { pointer, kind, dependencies: before } = locked;
  if (kind !== "pypi" || before === undefined) return {};
  if (after === undefined) return { untold: [titleOf(locked)] };
  const now = Object.entries(after);
  const known = new Set(Object.keys(before).map(nameAndVersion));
  const names = new Map([...known].map((title) => [readTitle(title)[0], title]));
  const moved = new Map(
    now.flatMap(([title]) => {
      const [own, old] = [nameAndVersion(title), names.get(readTitle(title)[0])];
      return old === undefined || known.has(own) ? [] : [[own, { pointer, before: old, after: own }] as const];
    }),
  );
  const changes = now
    .filter(([title]) => !Object.hasOwn(before, title) && Object.hasOwn(before, nameAndVersion(title)))
    .map(([title, digest]): JsonChange => {
      const own = nameAndVersion(title);
      return { pointer, before: `${own} ${before[own]}`, after: `${title} ${digest}` };
    });
  return { changes, moved: [...moved.values()] };
}

function nameAndVersion(title: string): string {
  return readTitle(title).join("@");
}

/**
 * Compares the files of a release. A file that runs on this machine must be locked; any other new file is only noted.
 */
function compareFiles(locked: LockedArtifact, found: FoundArtifact | LockedArtifact): Part {
  const { pointer, files: before } = locked;
  const { files: after } = found;
  if (before === undefined) return {};
  if (after === undefined) {
    const isKnown = locked.integrity !== undefined && found.integrity !== undefined;
    return { untold: isKnown ? [] : [titleOf(locked)] };
  }
  const chosen = "chosen" in found ? found.chosen : undefined;
  const fresh = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name));
  const asChange = ([name, value]: readonly [string, string]): JsonChange => ({ pointer, after: `${name} ${value}` });
  return {
    changes: [...compareNames(pointer, before, after), ...fresh.filter(([name]) => name === chosen).map(asChange)],
    added: fresh.filter(([name]) => name !== chosen).map(asChange),
  };
}

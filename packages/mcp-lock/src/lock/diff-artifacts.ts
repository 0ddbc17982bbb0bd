import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";
import type { LockedArtifact } from "@agentprint/launch";
import { groupEntries } from "../group-entries.ts";
import { addedScripts, compareNames, hasIntegrity, isSameIntegrity, titleOf, wholeOf } from "./artifact.ts";
import { readTitle } from "./package-title.ts";

/** The differences between the artifacts of two entries; each pointer is the one of the artifact before. */
export interface DiffedArtifacts {
  /** The packages with different bytes under the same version, and the new install scripts. */
  readonly changes: readonly JsonChange[];
  /** The artifacts of which the later entry knows no bytes. */
  readonly lost: readonly JsonChange[];
  /** The packages that were added, removed, or have a different version. */
  readonly versions: readonly JsonChange[];
  /** The new files of a release. */
  readonly added: readonly JsonChange[];
  /** All other differences: more or fewer integrities for the same bytes, and files and install scripts that are gone. */
  readonly others: readonly JsonChange[];
}

type Part = Partial<DiffedArtifacts>;
type Texts = Readonly<Record<string, string>>;

/**
 * Compares the artifacts of two entries completely, whatever their launches are. `compareArtifacts` compares less,
 * because a runner may choose other versions of dependencies at each start.
 */
export function diffLockedArtifacts(
  before: readonly LockedArtifact[],
  after: readonly LockedArtifact[],
): DiffedArtifacts {
  const known = knownBytes(before);
  const parts = pairsOf(before, after).flatMap((pair) => diffPair(pair, known));
  const join = (name: keyof DiffedArtifacts) => parts.flatMap((part) => part[name] ?? []);
  return {
    changes: join("changes"),
    lost: join("lost"),
    versions: join("versions"),
    added: join("added"),
    others: join("others"),
  };
}

/** Returns the integrities that a list of artifacts has for a package, as an artifact or a dependency, by its title. */
type KnownBytes = (kind: LockedArtifact["kind"] | undefined, title: string) => readonly string[];

function knownBytes(artifacts: readonly LockedArtifact[]): KnownBytes {
  const packages = artifacts.flatMap((artifact) =>
    Object.entries(packagesOf(artifact)).map(([title, bytes]) => ({ key: `${artifact.kind} ${title}`, bytes })),
  );
  const known = groupBy(packages, ({ key }) => key);
  return (kind, title) => (known.get(`${kind} ${title}`) ?? []).map(({ bytes }) => bytes);
}

/**
 * By which artifacts belong together, best first: an argument that is added to a launch moves the word that names a
 * package.
 */
const KEYS: readonly ((artifact: LockedArtifact) => string)[] = [
  ({ pointer, kind, name }) => `${pointer} ${kind} ${name}`,
  ({ kind, name }) => `${kind} ${name}`,
  ({ pointer }) => pointer,
];

/** Two artifacts that belong together, and where the first of them is named; one of them may be absent. */
type Pair = readonly [pointer: string, old: LockedArtifact | undefined, now: LockedArtifact | undefined];

function pairsOf(before: readonly LockedArtifact[], after: readonly LockedArtifact[]): Pair[] {
  const left = new Set(after);
  const found = new Map<LockedArtifact, LockedArtifact>();
  for (const keyOf of KEYS) {
    const waiting = groupBy([...left], keyOf);
    for (const old of before) {
      const now = found.has(old) ? undefined : waiting.get(keyOf(old))?.shift();
      if (now === undefined) continue;
      found.set(old, now);
      left.delete(now);
    }
  }
  return [
    ...before.map((old): Pair => [old.pointer, old, found.get(old)]),
    ...[...left].map((now): Pair => [now.pointer, undefined, now]),
  ];
}

function diffPair([pointer, old, now]: Pair, known: KnownBytes): Part[] {
  const scripts = (artifact: LockedArtifact | undefined) => (artifact ? [{ ...artifact, pointer }] : []);
  const gone = addedScripts(scripts(now), scripts(old)).map(({ after = "" }) => ({ pointer, before: after }));
  const swapped = swappedPackages(pointer, old, now, known);
  return [
    ...(old && now ? diffOwn(old, now) : onOneSide(pointer, old, now)),
    ...diffDependencies(pointer, old?.dependencies, now?.dependencies, swapped),
    { changes: [...addedScripts(scripts(old), scripts(now)), ...swapped.values()], others: gone },
  ];
}

/** Returns the packages that are new here, but had other bytes under the same version elsewhere in the entry. */
function swappedPackages(...[pointer, old, now, known]: readonly [...Pair, KnownBytes]): Map<string, JsonChange> {
  const [before, after] = [packagesOf(old), packagesOf(now)];
  return new Map(
    missingFrom(before, after).flatMap((title) => {
      const earlier = known(now?.kind, title);
      const [first] = earlier;
      if (first === undefined || earlier.some((bytes) => isSameIntegrity(bytes, after[title] ?? ""))) return [];
      return [[title, { pointer, before: `${title} ${first}`, after: inText(after, [title]) }] as const];
    }),
  );
}

/** Returns the integrity of an artifact, and of each package that is installed with it, by title. */
function packagesOf(artifact: LockedArtifact | undefined): Texts {
  if (artifact === undefined) return {};
  const { integrity, dependencies } = artifact;
  return { ...dependencies, ...(integrity !== undefined && { [titleOf(artifact)]: integrity }) };
}

function onOneSide(...[pointer, old, now]: Pair): Part[] {
  return [
    { lost: old ? [{ pointer, before: wholeOf(old) }] : [], versions: now ? [{ pointer, after: wholeOf(now) }] : [] },
  ];
}

/** Compares what an artifact says about itself. */
function diffOwn(old: LockedArtifact, now: LockedArtifact): Part[] {
  const { pointer } = old;
  const change = { pointer, before: wholeOf(old), after: wholeOf(now) };
  if (old.kind !== now.kind) {
    return [{ changes: [{ pointer, before: `${old.kind} ${change.before}`, after: `${now.kind} ${change.after}` }] }];
  }
  if (hasIntegrity(old) && !hasIntegrity(now)) return [{ lost: [change] }];
  if (old.name !== now.name || old.version !== now.version) return [{ versions: [change] }];
  return [diffIntegrity(change, old.integrity, now.integrity), ...diffFiles(pointer, old.files, now.files)];
}

function diffIntegrity(change: JsonChange, old: string | undefined, now: string | undefined): Part {
  if (old === now) return {};
  const isOther = old !== undefined && now !== undefined && !isSameIntegrity(old, now);
  return isOther ? { changes: [change] } : { others: [change] };
}

function diffFiles(pointer: string, before: Texts = {}, after: Texts = {}): Part[] {
  return [
    { changes: compareNames(pointer, before, after), others: respelled(pointer, before, after) },
    {
      added: missingFrom(before, after).map((name) => ({ pointer, after: inText(after, [name]) })),
      others: missingFrom(after, before).map((name) => ({ pointer, before: inText(before, [name]) })),
    },
  ];
}

/**
 * Compares the packages that are installed with an artifact. A package may be installed in several versions, and a
 * version may have several wheels, which make one change.
 */
function diffDependencies(
  pointer: string,
  before: Texts = {},
  after: Texts = {},
  swapped: ReadonlyMap<string, JsonChange>,
): Part[] {
  const fresh = missingFrom(before, after).filter((title) => !swapped.has(title));
  // A wheel without tags fits every machine, so a wheel with tags replaces it.
  const replaced = new Map(
    fresh.flatMap((title) => {
      const own = readTitle(title).join("@");
      return own !== title && Object.hasOwn(before, own) ? [[title, own] as const] : [];
    }),
  );
  const covered = new Set(replaced.values());
  const gone = byVersion(missingFrom(after, before).filter((title) => !covered.has(title)));
  const waiting = groupBy(byVersion(fresh.filter((title) => !replaced.has(title))), nameOf);
  const versions = gone.map((titles): JsonChange => {
    const moved = waiting.get(nameOf(titles))?.shift();
    return { pointer, before: inText(before, titles), ...(moved && { after: inText(after, moved) }) };
  });
  const left = [...waiting.values()].flat();
  return [
    { changes: compareNames(pointer, before, after), others: respelled(pointer, before, after) },
    {
      changes: [...replaced].map(([title, own]) => ({
        pointer,
        before: inText(before, [own]),
        after: inText(after, [title]),
      })),
      versions: [...versions, ...left.map((titles) => ({ pointer, after: inText(after, titles) }))],
    },
  ];
}

/** Returns the titles of each version of a package. */
function byVersion(titles: readonly string[]): string[][] {
  return [...groupBy(titles, (title) => readTitle(title).join("@")).values()];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  return groupEntries(items.map((item) => [keyOf(item), item]));
}

function nameOf([title = ""]: readonly string[]): string {
  return readTitle(title)[0];
}

function inText(texts: Texts, titles: readonly string[]): string {
  return titles.map((title) => `${title} ${texts[title]}`).join(", ");
}

/** Returns the sorted names that only `all` has. */
function missingFrom(known: Texts, all: Texts): string[] {
  return Object.keys(all)
    .filter((name) => !Object.hasOwn(known, name))
    .sort(compareCodeUnits);
}

/** Returns a change for each name whose values differ although they identify the same bytes. */
function respelled(pointer: string, before: Texts, after: Texts): JsonChange[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const now = Object.hasOwn(after, name) ? (after[name] as string) : value;
    if (now === value || isSameIntegrity(value, now) !== true) return [];
    return [{ pointer, before: `${name} ${value}`, after: `${name} ${now}` }];
  });
}

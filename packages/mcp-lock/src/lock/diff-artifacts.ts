import { compareCodeUnits, type JsonChange } from "@agentprint/canonical-json";
import type { LockedArtifact } from "@agentprint/launch";
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
  const parts = pairsOf(before, after).flatMap(diffPair);
  const join = (name: keyof DiffedArtifacts) => parts.flatMap((part) => part[name] ?? []);
  return {
    changes: join("changes"),
    lost: join("lost"),
    versions: join("versions"),
    added: join("added"),
    others: join("others"),
  };
}

type Fits = (old: LockedArtifact, now: LockedArtifact) => boolean;
const isSameWord: Fits = (old, now) => old.pointer === now.pointer;
const isSamePackage: Fits = (old, now) => old.kind === now.kind && old.name === now.name;
/** Which artifacts belong together, best first: an argument added to a launch moves the word that names a package. */
const FITS: readonly Fits[] = [
  (old, now) => isSameWord(old, now) && isSamePackage(old, now),
  isSamePackage,
  isSameWord,
];

/** Two artifacts that belong together, and where the first of them is named; one of them may be absent. */
type Pair = readonly [pointer: string, old: LockedArtifact | undefined, now: LockedArtifact | undefined];

function pairsOf(before: readonly LockedArtifact[], after: readonly LockedArtifact[]): Pair[] {
  const left = [...after];
  const found = new Map<LockedArtifact, LockedArtifact>();
  for (const fits of FITS) {
    for (const old of before) {
      const index = found.has(old) ? -1 : left.findIndex((now) => fits(old, now));
      for (const now of index < 0 ? [] : left.splice(index, 1)) found.set(old, now);
    }
  }
  return [
    ...before.map((old): Pair => [old.pointer, old, found.get(old)]),
    ...left.map((now): Pair => [now.pointer, undefined, now]),
  ];
}

function diffPair([pointer, old, now]: Pair): Part[] {
  const own = old && now ? diffOwn(old, now) : onOneSide(pointer, old, now);
  const scripts = (artifact: LockedArtifact | undefined) => (artifact ? [{ ...artifact, pointer }] : []);
  const gone = addedScripts(scripts(now), scripts(old)).map(({ after = "" }) => ({ pointer, before: after }));
  return [
    ...own,
    ...diffDependencies(pointer, old?.dependencies, now?.dependencies),
    { changes: addedScripts(scripts(old), scripts(now)), others: gone },
  ];
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
  if (titleOf(old) !== titleOf(now)) return [{ versions: [change] }];
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
function diffDependencies(pointer: string, before: Texts = {}, after: Texts = {}): Part[] {
  const fresh = missingFrom(before, after);
  // A wheel without tags fits every machine, so a wheel with tags replaces it.
  const replaced = new Map(
    fresh.flatMap((title) => {
      const own = readTitle(title).join("@");
      return own !== title && Object.hasOwn(before, own) ? [[title, own] as const] : [];
    }),
  );
  const covered = new Set(replaced.values());
  const gone = byVersion(missingFrom(after, before).filter((title) => !covered.has(title)));
  const later = byVersion(fresh.filter((title) => !replaced.has(title)));
  const versions = gone.map((titles): JsonChange => {
    const index = later.findIndex((others) => nameOf(others) === nameOf(titles));
    const [moved] = index < 0 ? [] : later.splice(index, 1);
    return { pointer, before: inText(before, titles), ...(moved && { after: inText(after, moved) }) };
  });
  return [
    { changes: compareNames(pointer, before, after), others: respelled(pointer, before, after) },
    {
      changes: [...replaced].map(([title, own]) => ({
        pointer,
        before: inText(before, [own]),
        after: inText(after, [title]),
      })),
      versions: [...versions, ...later.map((titles) => ({ pointer, after: inText(after, titles) }))],
    },
  ];
}

/** Returns the titles of each version of a package. */
function byVersion(titles: readonly string[]): string[][] {
  const versions = new Map<string, string[]>();
  for (const title of titles) {
    const version = readTitle(title).join("@");
    versions.set(version, [...(versions.get(version) ?? []), title]);
  }
  return [...versions.values()];
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

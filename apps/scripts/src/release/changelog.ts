/** The description that changesets has of a package of this repository on which another one depends. */
interface UpdatedDependency {
  readonly name: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

const FIRST = "0.0.0";

/**
 * Changesets calls it: a changeset as an item of a list: its first sentence begins the item, its further paragraphs
 * belong to it.
 */
export function getReleaseLine({ summary }: { readonly summary: string }): string {
  const [first = "", ...rest] = summary.split("\n").map((line) => line.trimEnd());
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/**
 * Changesets calls it: one item for all packages whose versions change; none in a first release, if nothing else is
 * listed.
 */
export function getDependencyReleaseLine(_: readonly unknown[], updated: readonly UpdatedDependency[]): string {
  const changed = updated.filter(({ oldVersion }) => oldVersion !== FIRST);
  if (changed.length === 0) return "";
  return `- Needs ${changed.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}.`;
}

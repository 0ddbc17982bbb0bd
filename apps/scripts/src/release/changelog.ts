/** The description that Changesets passes of a package of this repository on which another one depends. */
interface UpdatedDependency {
  readonly name: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

const FIRST = "0.0.0";

/**
 * Called by Changesets: returns a changeset as a list item. Its first sentence begins the item, and its other
 * paragraphs belong to it.
 */
export function getReleaseLine({ summary }: { readonly summary: string }): string {
  const [first = "", ...rest] = summary.split("\n").map((line) => line.trimEnd());
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/**
 * Called by Changesets: returns one item for all dependencies whose versions change; nothing in a first release, if
 * nothing else is listed.
 */
export function getDependencyReleaseLine(_: readonly unknown[], updated: readonly UpdatedDependency[]): string {
  const changed = updated.filter(({ oldVersion }) => oldVersion !== FIRST);
  if (changed.length === 0) return "";
  return `- Needs ${changed.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}.`;
}

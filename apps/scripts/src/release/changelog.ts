/** A package of this repository on which another one depends, as Changesets describes it. */
interface UpdatedDependency {
  readonly name: string;
  readonly oldVersion: string;
  readonly newVersion: string;
}

const FIRST = "0.0.0";

/**
 * Called by Changesets: returns a changeset as a list item. The item begins with the first sentence of the changeset,
 * and also contains its other paragraphs.
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

/** The ids of each suite's vectors without their numbers, by the suite's name. */
export type VectorIndex = Readonly<Record<string, readonly string[]>>;

/** A suite, and the id of a vector in it; an id that matches no vector selects the entire suite. */
export interface FoundVector {
  readonly suite: string;
  readonly id: string;
}

/**
 * Returns the suite that a text names by a vector's id, by the suite's name, or by both as `<suite>/<id>`; `undefined`
 * if there is none.
 */
export function findSuite(index: VectorIndex, asked: string): FoundVector | undefined {
  if (Object.hasOwn(index, asked)) return { suite: asked, id: "" };
  const [, named, id = "", prefix = ""] = /^(?:(.+)\/)?(([^/]+)-\d+)$/.exec(asked) ?? [];
  const suites = named === undefined ? Object.keys(index) : [named];
  const suite = suites.find((name) => Object.hasOwn(index, name) && index[name]?.includes(prefix));
  return suite === undefined ? undefined : { suite, id };
}

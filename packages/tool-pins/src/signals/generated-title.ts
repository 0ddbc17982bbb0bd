/** The boundary of two words in `repoPath`. */
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const SEPARATORS = /[ _./:-]+/;
/** The words that pydantic and FastMCP put behind the name of a function for its arguments and its results; the longer of two first. */
const ENDINGS = ["arguments", "dictoutput", "output"];

/**
 * Whether a title adds nothing to the name of its tool or parameter: libraries write `Repo Path` for `repo_path`, and
 * `git_addArguments`, `GitAdd` or, from the name of a function, `addArguments` or `addDictOutput` for `git_add`. The
 * letters have to be the same ones, in the same order; only capitals and what separates words may differ.
 */
export function isGeneratedTitle(title: string, name: string): boolean {
  // Letters such as the sign for Kelvin become others in small letters.
  if (title.normalize("NFKC") !== title) return false;
  const said = joined(title);
  const words = name.split(SEPARATORS).flatMap((word) => word.split(CAMEL));
  if (said === joined(name)) return said !== "";
  const ending = ENDINGS.find((each) => said.endsWith(each));
  if (ending === undefined) return false;
  const stem = said.slice(0, -ending.length);
  return stem !== "" && words.some((_, index) => joined(words.slice(index).join("")) === stem);
}

function joined(text: string): string {
  return text.split(SEPARATORS).join("").toLowerCase();
}

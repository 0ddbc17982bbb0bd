import { unicodeExpression } from "./unicode-expression.ts";

const SEPARATORS = /[ _./:-]/;
/** In `repoPath`, a capital begins the second word. */
const NEXT_CAPITAL = unicodeExpression("(?<=[\\p{Ll}\\p{N}])(?=\\p{Lu})");
/**
 * The words that pydantic and FastMCP append to a function name for its arguments and results. A longer word comes
 * before its ending.
 */
const ENDINGS = ["arguments", "dictoutput", "output"];
/** The maximum length of a function name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 1000;

/**
 * Returns whether a title adds nothing to the name of its tool or parameter. Libraries write `Repo Path` for
 * `repo_path`, and `git_addArguments`, `GitAdd` or, from a function's name, `addArguments` or `addDictOutput` for
 * `git_add`. The letters have to be the same and in the same order; only capitals and word separators may differ.
 */
export function isGeneratedTitle(title: string, name: string): boolean {
  // Some letters, such as the Kelvin sign, become other letters in lowercase.
  if (title.normalize("NFKC") !== title) return false;
  const said = joined(title);
  if (said === joined(name)) return said !== "";
  const ending = ENDINGS.find((each) => said.endsWith(each));
  if (ending === undefined || name.length > MAX_NAME_LENGTH) return false;
  const words = name.split(SEPARATORS).flatMap((word) => word.split(NEXT_CAPITAL()));
  const stem = said.slice(0, -ending.length);
  return stem !== "" && words.some((_, index) => joined(words.slice(index).join("")) === stem);
}

function joined(text: string): string {
  return text.split(SEPARATORS).join("").toLowerCase();
}

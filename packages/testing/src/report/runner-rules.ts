/** The commands of the GitHub Actions runner. */
const REGISTERED = new Set(
  "stop-commands internal-set-repo-path set-env set-output save-state add-mask add-path add-matcher remove-matcher debug warning error notice group endgroup echo".split(
    " ",
  ),
);

/** The characters that .NET's `TrimStart` removes: those of `Char.IsWhiteSpace`, which include U+0085 but not U+FEFF. */
const WHITE_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Returns the name of the command that a runner would execute for a line of a log, by its own rules; `undefined` if the
 * line is not a command.
 */
export function runnerCommandIn(line: string): string | undefined {
  return githubCommand(line) ?? githubBracketCommand(line) ?? otherCommand(line);
}

/** Parses like `ActionCommand.TryParseV2`: after leading white space, between two `::`, the name up to the first space. */
function githubCommand(line: string): string | undefined {
  const message = line.replace(WHITE_SPACE, "");
  if (!message.startsWith("::")) return undefined;
  const end = message.indexOf("::", 2);
  return end < 0 ? undefined : registered(message.slice(2, end));
}

/** Parses like `ActionCommand.TryParse`: after the first `##[`, at any position, up to `]`. */
function githubBracketCommand(line: string): string | undefined {
  const start = line.indexOf("##[");
  const end = line.indexOf("]", start);
  return start < 0 || end < 0 ? undefined : registered(line.slice(start + 3, end));
}

function registered(words: string): string | undefined {
  const [name = ""] = words.split(" ");
  return REGISTERED.has(name.toLowerCase()) ? name : undefined;
}

/**
 * Finds commands of Azure Pipelines (`##vso[` anywhere), TeamCity, and GitLab, whose sections would also need control
 * characters.
 */
function otherCommand(line: string): string | undefined {
  return /##(?:vso|teamcity)\[|section_(?:start|end):\d+:/.exec(line)?.[0];
}

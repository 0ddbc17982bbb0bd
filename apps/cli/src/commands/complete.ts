import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { DEFAULT_LOCK, readLockIfPresent } from "../lock/read-lock.ts";
import type { Context, Output } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** Matches a name that every shell reads as a single word. */
const PLAIN = /^\w[\w@.:/-]*$/;

/** Defines the function that the bash script calls, for a shell without the package bash-completion. */
const BASH_WORDS = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
    cur=\${words[cword]} prev=\${words[cword - 1]}
  }
fi
`;

/** Offers the names in the lock as completions of arguments that name pinned servers. */
export async function offerServers(context: Context, program: Command): Promise<void> {
  const found = await readLockIfPresent(context, DEFAULT_LOCK).catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  const names = found?.lock.servers.map(({ name }) => name).filter((name) => PLAIN.test(name)) ?? [];
  const servers = program.commands.flatMap(({ registeredArguments }) =>
    registeredArguments.filter((argument) => argument.name() === "server"),
  );
  for (const argument of servers) argument.argChoices = names;
}

/** Runs `agentprint complete …`: prints a completion script, or the completions of the words after `--`. */
export async function complete(words: readonly string[], stdout: Output, program: Command): Promise<void> {
  tab(program);
  if (words.at(-1) === "bash" && words.length === 2) stdout.write(BASH_WORDS);
  program.commands
    .find((command) => command.name() === "complete")
    ?.addHelpText(
      "after",
      "\nExamples:\n  $ source <(agentprint complete bash)\n  $ agentprint complete fish > ~/.config/fish/completions/agentprint.fish",
    );
  // The library prints with `console.log`.
  const { log } = console;
  console.log = (line: string) => void stdout.write(`${line}\n`);
  try {
    await program.parseAsync(words, { from: "user" });
  } finally {
    console.log = log;
  }
}

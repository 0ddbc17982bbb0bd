import { escapeText } from "@agentprint/report";
import type { FoundServer } from "../clients/find-servers.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { commandLine } from "../terminal/command-line.ts";
import { launchOf } from "./print-init.ts";

/**
 * Asks which servers to pin; the project's are preselected, or all if the project has none.
 *
 * @param options The options of this run, for the command that pins all servers without asking
 * @throws {@link CliError} `usage` if there is no terminal; `ended` when the choice is cancelled
 */
export async function chooseServers(
  context: Context,
  servers: readonly FoundServer[],
  options: readonly string[],
): Promise<FoundServer[]> {
  const { stdin, stderr, signal } = context;
  if (!canAsk(context)) {
    throw new CliError("usage", "without a terminal, init cannot ask which servers to pin; nothing was written", {
      expected: "--yes for all of them, or --mcp-config <file> with those that are wanted",
      fix: commandLine(["agentprint", "init", "--yes", ...options]),
    });
  }
  const { isCancel, multiselect } = await import("@clack/prompts");
  const ofProject = servers.filter(({ places }) => places.some(({ scope }) => scope === "project"));
  const chosen = await multiselect<FoundServer>({
    message: "Which servers should be pinned?",
    options: servers.map((server) => ({
      value: server,
      label: escapeText(server.name),
      hint: launchOf(context, server),
    })),
    initialValues: ofProject.length > 0 ? ofProject : [...servers],
    required: false,
    input: stdin,
    output: stderr,
    ...(signal && { signal }),
  });
  if (isCancel(chosen)) throw new CliError("ended", "the choice was cancelled; nothing was written");
  return chosen;
}

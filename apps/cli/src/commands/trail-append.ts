import { EXIT, type ExitCode } from "@agentprint/findings";
import { formatThoughtLine } from "@agentprint/trail/chain";
import { THOUGHT_TYPES, type ThoughtType } from "@agentprint/trail/record";
import { type Command, Option } from "commander";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { readText, withStore } from "../trail/source.ts";

const MAX_CONTENT_BYTES = 4 * 2 ** 20;

interface AppendOptions {
  readonly task: string;
  readonly agent: string;
  readonly type: ThoughtType;
  readonly id?: string;
}

export const examples: Examples = [
  ['agentprint trail append file:trail.db --task t1 --agent planner --type plan "Migrate."', "prints the record"],
];

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…; created if it does not exist")
    .argument("[content]", "the text of the thought; without it, standard input")
    .requiredOption("--task <id>", "the task whose chain the thought continues")
    .requiredOption("--agent <id>", "the agent that had the thought")
    .addOption(new Option("--type <type>", "kind of thought").choices(THOUGHT_TYPES).makeOptionMandatory())
    .option("--id <id>", "id of the record, so that repeating the append changes nothing");
}

export async function run(
  context: Context,
  url: string,
  content: string | undefined,
  { task, agent, type, id }: AppendOptions,
): Promise<ExitCode> {
  const text = content ?? (await readText(context, "-", MAX_CONTENT_BYTES));
  const input = { type, task_id: task, agent_id: agent, content: text, ...(id === undefined ? {} : { id }) };
  const record = await withStore(context, url, "create", (store) => store.append(input));
  context.stdout.write(formatThoughtLine(record));
  return EXIT.same;
}

import { EXIT } from "@agentprint/findings";
import { Command, Help } from "commander";
import packageJson from "../package.json" with { type: "json" };
import type { CommandEntry } from "./commands/command-module.ts";
import { COMMANDS } from "./commands.ts";
import { hideCommandLine } from "./launch/launch-secrets.ts";
import { hasColor, withoutColorOption } from "./run/color.ts";
import type { Context } from "./run/context.ts";
import { VERSION_OPTIONS } from "./run/version.ts";
import { addExamples } from "./terminal/examples.ts";
import { escapeLines } from "./terminal/report-error.ts";

/** The command line. A command is loaded when it is run, or when its own help is shown. */
export class Program {
  readonly root: Command;
  readonly #context: Context;
  /** The entry of each command, and whether the command has been loaded. */
  readonly #entries = new Map<Command, { readonly entry: CommandEntry; isLoaded: boolean }>();
  #completion: Command | undefined;
  #exitCode: number = EXIT.same;

  constructor(context: Context) {
    this.#context = context;
    this.root = createRoot(context);
    this.root.configureHelp({ subcommandTerm: (command) => this.#termOf(command) });
    this.#addAll(this.root, COMMANDS);
  }

  /** Runs the context's command; returns the exit code. */
  async run(): Promise<number> {
    this.#completion = this.#addCompletion();
    this.#addHelp(this.root);
    await this.root.parseAsync(withoutColorOption(this.#context.args), { from: "user" });
    return this.#exitCode;
  }

  /** Loads every command, with its options. */
  async loadAll(): Promise<void> {
    for (const command of this.#entries.keys()) await this.#load(command);
  }

  #addAll(parent: Command, entries: readonly CommandEntry[]): void {
    for (const entry of entries) {
      const [name = ""] = entry.term.split(" ");
      const command = parent.command(name).description(entry.summary);
      if (entry.group !== undefined) command.helpGroup(entry.group);
      this.#entries.set(command, { entry, isLoaded: false });
      if (entry.commands === undefined) continue;
      this.#addAll(command, entry.commands);
      this.#addHelp(command);
    }
    parent.hook("preSubcommand", (_, command) => this.#load(command));
  }

  async #load(command: Command): Promise<void> {
    const known = this.#entries.get(command);
    if (known?.entry.load === undefined || known.isLoaded) return;
    known.isLoaded = true;
    const { define, examples, run } = await known.entry.load();
    define(command);
    if (examples) addExamples(command, examples);
    command.action(async (...given: unknown[]) => {
      this.#exitCode = await run(this.#context, ...(given as never[]));
    });
  }

  /** Adds a `help` command, because Commander's own would show a command that is not loaded. */
  #addHelp(parent: Command): void {
    parent.helpCommand(false);
    parent
      .command("help")
      .description("display help for command")
      .argument("[command]")
      .allowExcessArguments()
      .allowUnknownOption()
      .helpOption(false)
      .action(async (name?: string) => {
        const command = name === "help" ? undefined : parent.commands.find((known) => known.name() === name);
        if (command === undefined) return parent.help({ error: name !== undefined });
        if (command === this.#completion) return this.#complete(["complete", "--help"]);
        await this.#load(command);
        return command.help();
      });
  }

  #addCompletion(): Command {
    const command = this.root
      .command("complete")
      .description("Generate shell completion scripts")
      .argument("[words...]")
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action(() => this.#complete(this.#context.args));
    this.#entries.set(command, { entry: { term: "complete [shell]", summary: "" }, isLoaded: true });
    return command;
  }

  /**
   * Completes words in a separate program, in which all commands are loaded, because completion needs the options of
   * each.
   */
  async #complete(words: readonly string[]): Promise<void> {
    const program = new Program(this.#context);
    await program.loadAll();
    const { complete, offerServers } = await import("./commands/complete.ts");
    await offerServers(this.#context, program.root);
    await complete(words, this.#context.stdout, program.root);
  }

  #termOf(command: Command): string {
    return this.#entries.get(command)?.entry.term ?? Help.prototype.subcommandTerm(command);
  }
}

function createRoot(context: Context): Command {
  const { stdout, stderr } = context;
  const root = new Command("agentprint")
    .description(packageJson.description)
    .version(packageJson.version, VERSION_OPTIONS.join(", "), "print the version")
    .helpOption("-h, --help", "print help")
    .option("--no-color", "no colour, as NO_COLOR does (FORCE_COLOR forces it)")
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for the options and examples)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      // Usage messages quote the command line, which may hold anything.
      writeErr: (text) => {
        hideCommandLine(context, false);
        stderr.write(escapeLines(text));
      },
      getOutHasColors: () => hasColor(context, stdout),
      getErrHasColors: () => hasColor(context, stderr),
      getOutHelpWidth: () => (stdout.isTTY ? (stdout.columns ?? 80) : 80),
      getErrHelpWidth: () => (stderr.isTTY ? (stderr.columns ?? 80) : 80),
    });
  addExamples(root, [
    ["agentprint pin -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "lock what a server offers"],
    ["agentprint check", "see every change since, exit 1 if there is one"],
    ["agentprint approve server-filesystem", "review the change and accept it"],
    ["agentprint hash manifest.json", "the digest of a JSON file"],
  ]);
  return root.addHelpText("after", "\nExit codes: 0 fine, 1 a difference was found, 2 could not tell.");
}

import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/commands.ts";
import { Program } from "../../src/program.ts";
import { createContext, type Surroundings } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { confirm } from "../../src/terminal/confirm.ts";
import { showProgress } from "../../src/terminal/notices.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext, runCli } from "../support/run-cli.ts";
import { terminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

function terminalContext(args: readonly string[] = [], given: Partial<Surroundings> = {}) {
  const streams = { stdin: terminal(), stdout: terminal(40), stderr: terminal(40) };
  return { ...streams, context: createContext({ args, ...streams, env: {}, cwd: ".", ...given }) };
}

test("every command is listed by help as it would be once it is loaded", async () => {
  const program = new Program(memoryContext());
  await program.loadAll();
  const help = program.root.createHelp();
  const compare = (entries: typeof COMMANDS, commands: typeof program.root.commands): void => {
    for (const { term, commands: inner } of entries) {
      const [name] = term.split(" ");
      const command = commands.find((known) => known.name() === name);
      const options = command?.options.length ? " [options]" : "";
      const operands = command?.registeredArguments.map((argument) => ` ${help.argumentTerm(argument)}`) ?? [];
      const shown = command?.registeredArguments.map((argument) => {
        const dots = argument.variadic ? "..." : "";
        return argument.required ? ` <${argument.name()}${dots}>` : ` [${argument.name()}${dots}]`;
      });
      expect(term).toBe(`${name}${options}${shown?.join("")}`);
      expect(operands).toHaveLength(shown?.length ?? 0);
      if (inner) compare(inner, command?.commands ?? []);
    }
  };
  compare(COMMANDS, program.root.commands);
});

test("help and version load no command", async () => {
  for (const args of [["--help"], ["--version"], ["trail", "--help"], ["help"]]) {
    const program = new Program(memoryContext(args));
    await program.run().catch(() => undefined);
    const commands = program.root.commands.flatMap((command) => [command, ...command.commands]);
    const loaded = commands.filter(({ registeredArguments }) => registeredArguments.length > 0);
    expect(loaded.map((command) => command.name()).filter((name) => !/^(?:help|complete)$/.test(name))).toEqual([]);
  }
});

test("help shows the options of a command, in groups, too", async () => {
  expect((await runCli(["help", "hash"])).stdout).toContain("--key-order");
  expect((await runCli(["trail", "help", "verify"])).stdout).toContain("--workers");
  expect((await runCli(["help", "complete"])).stdout).toContain("powershell");
  const unknown = await runCli(["help", "nothing"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Usage: agentprint") });
});

test("a path starts at the folder of the context, and the system resolves ..", () => {
  expect(memoryContext([], { cwd: "." }).pathOf("a/../b")).toBe("a/../b");
  expect(memoryContext([], { cwd: "/folder" }).pathOf("link/../b")).toBe("/folder/link/../b");
  expect(memoryContext([], { cwd: "/folder" }).pathOf("/b")).toBe("/b");
});

test("only a command that reads standard input opens it", async () => {
  let opened = 0;
  const streams = { stdout: terminal(), stderr: terminal() };
  const surroundings = (args: readonly string[]): Surroundings => ({
    args,
    get stdin() {
      opened++;
      return Readable.from([Buffer.from("[1]")]);
    },
    ...streams,
    env: {},
    cwd: ".",
  });
  expect(await run(createContext(surroundings(["--version"])))).toBe(0);
  expect(await run(createContext(surroundings(["rules"])))).toBe(0);
  expect(opened).toBe(0);
  expect(await run(createContext(surroundings(["canonicalize"])))).toBe(0);
  expect(opened).toBe(1);
  expect(streams.stdout.read()).toMatch(/\[1\]\n$/);
});

test.each([
  ["y\n", true],
  ["yes\n", true],
  ["n\n", false],
  ["\n", false],
])("on a terminal %j answers a question with %s", async (answer, expected) => {
  const { context, stdin, stderr } = terminalContext();
  const asked = confirm(context, "Take \u202eit?", !expected);
  stdin.write(answer);
  expect(await asked).toBe(expected);
  expect(stderr.read()).toContain("Take \\u{202e}it? [y/N]");
});

test("without a terminal no question is asked", async () => {
  expect(await confirm(memoryContext(), "Take it?", true)).toBe(true);
  expect(await confirm(memoryContext(), "Take it?", false)).toBe(false);
});

test("approve asks on a terminal, and writes the state only after a yes", async () => {
  using workspace = new Workspace();
  const server = hostile("terminal-escapes");
  await workspace.run(["pin", "--name", "it", "--env", "HOSTILE_TEXT", "--", ...server], { HOSTILE_TEXT: "before" });
  for (const [answer, code] of [
    ["n\n", 1],
    ["y\n", 0],
  ] as const) {
    const surroundings = { env: { ...process.env, HOSTILE_TEXT: "after" }, cwd: workspace.folder };
    const { context, stdin, stdout, stderr } = terminalContext(["approve", "it"], surroundings);
    stdin.write(answer);
    expect(await run(context)).toBe(code);
    expect(stdout.read()).toContain("after");
    expect(stderr.read()).toContain("Write this state of it to agentprint.lock? [y]es, [n]o, ");
  }
  expect((await workspace.run(["check"], { HOSTILE_TEXT: "after" })).code).toBe(0);
});

test("a line of progress is as wide as the terminal at most, and escaped", () => {
  const { context, stderr } = terminalContext();
  showProgress(context, `\u202e${"x".repeat(100)}`);
  expect(stderr.read()).toBe(`\r\u001b[2K\\u{202e}${"x".repeat(31)}`);
});

test("canonicalize ends its line on a terminal, where no other program reads it", async () => {
  const { context, stdout } = terminalContext(["canonicalize"]);
  expect(await run({ ...context, stdin: Readable.from([Buffer.from("[1]")]) })).toBe(0);
  expect(stdout.read()).toBe("[1]\n");
});

test("an ended run waits for no input, no answer and no server", async () => {
  const ending = new AbortController();
  const reading = terminalContext(["hash"], { signal: ending.signal });
  const asking = terminalContext([], { signal: ending.signal });
  const [hashed, answered] = [run(reading.context), confirm(asking.context, "Take it?", true)];
  const refused = expect(answered).rejects.toMatchObject({ code: "ABORT_ERR" });
  ending.abort();
  expect(await hashed).toBe(2);
  await refused;
  const pinning = terminalContext(["pin", "--", "never-started"], { signal: ending.signal });
  expect(await run(pinning.context)).toBe(2);
  expect(String(pinning.stderr.read()).replaceAll(/\s+/g, " ")).toContain("the run was stopped before it finished");
});

test("the values of a server are hidden on the streams of its run, and shown on those of other runs", async () => {
  const [one, other] = [terminalContext(), terminalContext()];
  one.context.hidden.hide([{ name: "A", value: "correct horse" }]);
  for (const { stdout, stderr } of [one, other]) for (const stream of [stdout, stderr]) stream.write("correct horse");
  expect([one.stdout.read(), one.stderr.read()]).toEqual(["‹value of A›", "‹value of A›"]);
  expect([other.stdout.read(), other.stderr.read()]).toEqual(["correct horse", "correct horse"]);
});

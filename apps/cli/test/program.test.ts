import { closeSync, existsSync, openSync } from "node:fs";
import module from "node:module";
import { runProgram, startProgram } from "@agentprint/testing/programs";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { Program } from "../src/program.ts";
import { memoryContext, runCli } from "./support/run-cli.ts";
import { AGENTPRINT, spawnCli } from "./support/spawn-cli.ts";
import { Workspace } from "./support/workspace.ts";

describe("agentprint", () => {
  test("prints help with examples and the exit codes", async () => {
    const run = await runCli(["--help"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout.match(/^\S.*:$/gm)).toEqual([
      ...["Options:", "MCP servers:", "The guard:", "Rules:", "Agents:", "JSON and text:", "Commands:", "Examples:"],
    ]);
    expect(run.stdout).toContain("Exit codes: 0 fine, 1 a difference was found, 2 could not tell.");
    const check = await runCli(["check", "--help"]);
    expect(check.stdout).toContain(
      "Examples:\n  $ agentprint check\n      whether configurations, lock and servers agree",
    );
  });

  test("shows an example of every command that does something", async () => {
    const program = new Program(memoryContext());
    const namesOf = (command: Command): string[][] =>
      command.commands.length === 0
        ? [[]]
        : command.commands.flatMap((each) => namesOf(each).map((rest) => [each.name(), ...rest]));
    const names = namesOf(program.root).filter((words) => !["vectors", "help"].includes(words.at(-1) ?? ""));
    expect(names.length).toBeGreaterThan(40);
    for (const words of names) {
      const { stdout } = await runCli([...words, "--help"]);
      expect(stdout, words.join(" ")).toContain(`\nExamples:\n  $ agentprint ${words.join(" ")}`);
    }
  });

  test("prints its version", async () => {
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  test.each([
    ["-V", `${packageJson.version}\n`, false],
    ["--version", `${packageJson.version}\n`, false],
    ["--help", expect.stringContaining("Usage: agentprint"), true],
  ])(
    "loads the command line, with its compile cache, for other words than a version option: %s",
    async (word, stdout, isLoaded) => {
      using workspace = new Workspace();
      const env = { NODE_COMPILE_CACHE: "", HOME: "", XDG_CACHE_HOME: workspace.path("caches") };
      expect(await spawnCli([word], { cwd: workspace.folder, env })).toEqual({ code: 0, stdout, stderr: "" });
      expect(existsSync(workspace.path("caches"))).toBe(isLoaded && "enableCompileCache" in module);
    },
  );

  test.skipIf(!existsSync("/dev/full"))("ends 2 where its version cannot be written", async () => {
    const [command, ...prefix] = AGENTPRINT;
    const full = openSync("/dev/full", "w");
    const run = runProgram(command, [...prefix, "--version"], { stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("ENOSPC");
  });

  test.each([
    { name: "an unknown command", args: ["hsah"], says: "hash" },
    { name: "an unknown option", args: ["hash", "--nope"], says: "unknown option" },
    { name: "a value that is not a choice", args: ["hash", "--profile", "x"], says: "rfc8785, ecmascript" },
    { name: "a number that is none", args: ["hash", "--max-bytes", "1e3"], says: "whole number above zero" },
    { name: "an index that is none", args: ["trail", "list", "x", "--after", "1.5"], says: "expected a whole number." },
    { name: "one argument too many", args: ["hash", "a", "b"], says: "too many arguments" },
    {
      name: "an empty name",
      args: ["pin", "--name", "", "--", "node", "server.mjs"],
      says: "expected a name that is not empty.",
    },
    { name: "no command at all", args: [], says: "Usage: agentprint" },
  ])("ends 2 on $name, on stderr only", async ({ args, says }) => {
    const run = await runCli(args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(says);
  });

  test("escapes arguments in a usage message", async () => {
    const run = await runCli(["\u001b[2J\u202e"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("\\u{1b}[2J\\u{202e}");
    expect(run.stderr).not.toContain("\u001b");
  });

  test("uses colours without a terminal only on request", async () => {
    const plain = await runCli(["hash", "missing.json"]);
    expect(plain.stderr).not.toContain("\u001b");
    const forced = await runCli(["hash", "missing.json"], { env: { FORCE_COLOR: "1" } });
    expect(forced.stderr).toContain("\u001b[31m");
    for (const run of [
      await runCli(["--no-color", "hash", "missing.json"], { env: { FORCE_COLOR: "1" } }),
      await runCli(["hash", "missing.json", "--no-color"], { env: { FORCE_COLOR: "1" } }),
      await runCli(["hash", "missing.json"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } }),
    ]) {
      expect(run.stderr).toContain("missing.json");
      expect(run.stderr).not.toContain("\u001b");
    }
    const server = ["pin", "--", "agentprint-no-such-server", "--no-color"];
    expect((await runCli(server, { env: { FORCE_COLOR: "1" } })).stderr).toContain("\u001b[31m");
  });

  test("keeps its exit code when its reader closes the pipe", async () => {
    const [command, ...prefix] = AGENTPRINT;
    const child = await startProgram(command, [...prefix, "canonicalize"]);
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.destroy();
    child.stdin.end(JSON.stringify("x".repeat(1_000_000)));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // If every lost reader ended the process, a check could exit with 0 before it had found anything.
    const failing = await startProgram(command, [...prefix, "hash", "missing.json"]);
    failing.stdout.destroy();
    failing.stderr.destroy();
    expect(await new Promise((resolve) => failing.on("exit", resolve))).toBe(2);
  });

  test.each(["bash", "zsh", "fish", "powershell"])("prints a completion script for %s", async (shell) => {
    const run = await runCli(["complete", shell]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(/agentprint complete '?--/);
  });

  test("has examples of completion scripts", async () => {
    const { code, stdout } = await runCli(["complete", "--help"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("source <(agentprint complete bash)")]);
  });

  test("completes in bash without bash-completion", async () => {
    const { stdout: script } = await runCli(["complete", "bash"]);
    const typed = `compopt() { :; }; agentprint() { echo "$*" >&3; echo check; }
      COMP_WORDS=(agentprint ch) COMP_CWORD=1; __agentprint_complete; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = runProgram("bash", ["--norc", "-c", `exec 3>/dev/null\n${script}\n${typed}`], {});
    expect([stdout, stderr]).toEqual(["check\n", ""]);
  });

  test("completes commands, options and their values", async () => {
    expect((await runCli(["complete", "--", "can"])).stdout).toContain("canonicalize");
    expect((await runCli(["complete", "--", "hash", "--key"])).stdout).toContain("--key-order");
    expect((await runCli(["complete", "--", "hash", "--profile", ""])).stdout).toMatch(/rfc8785[\s\S]*ecmascript/);
  });
});

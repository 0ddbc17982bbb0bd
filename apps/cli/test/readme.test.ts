import { readFileSync } from "node:fs";
import type { Option } from "commander";
import { describe, expect, test } from "vitest";
import { Program } from "../src/program.ts";
import { memoryContext, runCli } from "./support/run-cli.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const program = new Program(memoryContext());
await program.loadAll();
const { commands } = program.root;

/** The commands that the README describes option by option. */
const WHOLE = ["pin", "check", "approve", "status", "list", "show", "remove", "canonicalize", "hash"];

describe("the README", () => {
  test("shows the output of canonicalize and hash", async () => {
    const lines = README.split("\n");
    const shown = lines.flatMap((line, index) => {
      const match = /^\$ echo '(.*)' \| agentprint (\w+)$/.exec(line);
      return match ? [{ stdin: match[1] ?? "", command: match[2] ?? "", prints: lines[index + 1] }] : [];
    });
    expect(shown).toHaveLength(2);
    for (const { stdin, command, prints } of shown) {
      expect((await runCli([command], { stdin })).stdout.trimEnd()).toBe(prints);
    }
  });

  test("names every command, in the order of the help", () => {
    const named = [...README.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    expect(named.slice(0, commands.length + 1)).toEqual([...commands.map((command) => command.name()), "complete"]);
  });

  test.each(WHOLE)("uses only options that %s has", (name) => {
    const known = commands.find((command) => command.name() === name)?.options.map((option) => option.long) ?? [];
    for (const [line] of README.matchAll(new RegExp(`(?<=[$:] (?:npx )?agentprint ${name} ).*`, "g"))) {
      const [own = ""] = line.split(" -- ");
      for (const [option] of own.matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
    }
  });

  test.each(["init", "pin", "check", "approve", "diff"])(
    "and if not, the help has an example with every option of %s",
    async (name) => {
      const command = commands.find((known) => known.name() === name);
      const { stdout } = await runCli([name, "--help"]);
      const lines = [stdout.slice(stdout.indexOf("Examples:")), README].flatMap(
        (text) => text.match(new RegExp(String.raw`agentprint ${name}\b[^\n\x60]*`, "g")) ?? [],
      );
      const isShown = ({ long, short }: Option): boolean =>
        lines.some((line) => [long, short].some((flag) => flag && line.split(/[\s=]/).includes(flag)));
      expect(command?.options.filter((option) => !isShown(option)).map(({ long }) => long)).toEqual([]);
    },
  );

  test("has few options to describe", () => {
    const counts = commands.map((command) => [command.name(), command.options.length] as const);
    expect(new Map(counts).get("check")).toBeLessThanOrEqual(15);
    expect(new Map(counts).get("approve")).toBeLessThanOrEqual(17);
  });

  test.each(WHOLE)("mentions every option of %s", (name) => {
    for (const { long } of commands.find((command) => command.name() === name)?.options ?? []) {
      expect(README).toContain(long);
    }
  });
});

import type { JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import { changeTools, type Place, type Recipe, type Scene, type Target } from "./edit.ts";
import { loudText, withLookAlike } from "./texts.ts";

const recipe = (what: string, count: number, prepare: Recipe["prepare"]): Recipe => ({
  what,
  layer: "names",
  count,
  stages: 1,
  prepare,
});

const toolTarget = (server: string, name: string): Target => ({ server, kind: "tool", name });

/** Returns a recipe that renames the tool. */
const renamed = (what: string, count: number, rename: (name: string) => string | undefined): Recipe =>
  recipe(what, count, ({ tool, server, toolNames }) => {
    const name = String(tool["name"]);
    const next = rename(name);
    if (next === undefined || next === name || toolNames.includes(next)) return undefined;
    return (answers) => ({
      answers: changeTools(answers, server, (tools) =>
        tools.map((other) => (other["name"] === name ? { ...other, name: next } : other)),
      ),
      targets: [toolTarget(server, name), toolTarget(server, next)],
      pointer: "",
    });
  });

/** Returns the change that adds a tool modelled on `model`. */
function addTool(server: string, model: JsonObject, name: string): Place {
  const tool = { ...model, name };
  return (answers) => ({
    answers: changeTools(answers, server, (tools) => [...tools, tool]),
    targets: [toolTarget(server, name)],
    pointer: "",
  });
}

const added = (
  what: string,
  count: number,
  where: "server" | "second",
  nameOf: (scene: Scene) => string | undefined,
): Recipe =>
  recipe(what, count, (scene) => {
    const name = nameOf(scene);
    const taken = where === "server" ? scene.toolNames : scene.secondNames;
    if (name === undefined || taken.includes(name)) return undefined;
    return addTool(scene[where], { ...scene.tool, description: loudText(scene) }, name);
  });

const nameOf = ({ tool }: Scene): string => String(tool["name"]);
const otherSign = (name: string): string => name.replace(/[_-]/, (sign) => (sign === "_" ? "-" : "_"));
const otherCase = (name: string): string => name.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase());

/** Names that make a model call one tool although it means another. */
export const SHADOWING_NAMES: readonly Recipe[] = [
  renamed("the tool gets a name with a look-alike letter", 5, withLookAlike),
  renamed("the tool gets a name with another sign between words", 4, otherSign),
  renamed("the tool gets a name with a capital letter", 3, otherCase),
  renamed("the tool gets a name with a zero-width character", 3, (name) => `${name.slice(0, 1)}\u200b${name.slice(1)}`),
  renamed("the tool gets a longer name", 3, (name) => `${name}_v2`),
  added("a new tool whose name looks like another tool's", 5, "server", (scene) => withLookAlike(nameOf(scene))),
  added("a new tool with a longer name", 3, "server", (scene) => `${nameOf(scene)}_all`),
  added("a new tool with a name of another server's tool", 5, "server", ({ random, secondNames }) =>
    random.pick(secondNames),
  ),
  added("another server gains a tool of this name", 5, "second", nameOf),
  added("another server gains a tool of a name that looks like this", 4, "second", (s) => withLookAlike(nameOf(s))),
  recipe("two tools change places", 2, ({ tool, server, toolNames, random }) => {
    const name = String(tool["name"]);
    const others = toolNames.filter((other) => other !== name);
    if (others.length === 0) return undefined;
    const other = random.pick(others);
    const next = (old: unknown): string => (old === name ? other : name);
    return (answers) => ({
      answers: changeTools(answers, server, (tools) =>
        tools.map((each) =>
          each["name"] === name || each["name"] === other ? { ...each, name: next(each["name"]) } : each,
        ),
      ),
      targets: [toolTarget(server, name), toolTarget(server, other)],
      pointer: "",
    });
  }),
];

import { isJsonObject, type JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import {
  type ChangeTool,
  changeSessions,
  commonSession,
  type EditLayer,
  type Place,
  type Recipe,
  type Scene,
  toolRecipe,
} from "./edit.ts";
import { parametersOf, setAt } from "./schemas.ts";
import { inMiddle, loudText, quietText } from "./texts.ts";

type Text = (scene: Scene) => string;

const appended = (what: string, count: number, text: Text): Recipe =>
  toolRecipe(what, "prose", count, (scene) => rewrite(scene, (old) => `${old} ${text(scene)}`.trim()));

const inserted = (what: string, count: number, text: Text): Recipe =>
  toolRecipe(what, "prose", count, (scene) => rewrite(scene, (old) => inMiddle(old, ` ${text(scene)}`)));

/** Returns a change that replaces the description with one derived from the newest description. */
function rewrite({ tool }: Scene, change: (description: string) => string): ChangeTool | undefined {
  if (typeof tool["description"] !== "string") return undefined;
  const description = change(tool["description"]);
  return description === tool["description"] ? undefined : (draft) => setAt(draft, [], "description", description);
}

/** Returns a recipe that appends text to a prose keyword of a parameter. */
const inParameter = (what: string, keyword: string, count: number, text: Text): Recipe =>
  toolRecipe(what, "prose", count, (scene) => {
    const parameters = parametersOf(scene.tool);
    if (parameters.length === 0) return undefined;
    const { path, schema } = scene.random.pick(parameters);
    const put = `${typeof schema[keyword] === "string" ? `${schema[keyword]} ` : ""}${text(scene)}`;
    return (draft) => setAt(draft, path, keyword, put);
  });

const member = (what: string, layer: EditLayer, count: number, path: readonly string[], name: string): Recipe =>
  toolRecipe(what, layer, count, (scene) => {
    const put = loudText(scene);
    return (draft) => setAt(draft, path, name, put);
  });

const OPPOSITES = [
  ["only", "even"],
  ["not", "also"],
  ["never", "always"],
  ["within", "outside of"],
  ["optional", "required"],
  ["read", "change"],
  ["list", "remove"],
  ["get", "set"],
] as const;

const swappedWord: Recipe = toolRecipe("one word of the description replaced by its opposite", "prose", 5, (scene) => {
  const [from, to] = scene.random.pick(OPPOSITES);
  return rewrite(scene, (old) => old.replace(new RegExp(`\\b${from}\\b`, "i"), to));
});

/** Returns a recipe that edits how the server describes itself in its greeting. */
const ofServer = (
  what: string,
  count: number,
  text: Text,
  pointer: string,
  change: (greeting: JsonObject, put: string) => JsonObject,
): Recipe => ({
  what,
  layer: "prose",
  count,
  stages: 1,
  prepare: (scene): Place => {
    const put = text(scene);
    const { server } = scene;
    return (answers) => ({
      answers: changeSessions(answers, server, (session) => ({
        ...session,
        greetings: session.greetings.map((greeting) => change(greeting, put)),
      })),
      targets: [{ server, kind: "server", name: server }],
      pointer,
    });
  },
});

const withInstructions = (greeting: JsonObject, put: string): JsonObject => ({
  ...greeting,
  instructions: `${String(greeting["instructions"] ?? "")} ${put}`.trim(),
});

const withTitle = (greeting: JsonObject, title: string): JsonObject => {
  const { serverInfo } = greeting;
  return isJsonObject(serverInfo) ? { ...greeting, serverInfo: { ...serverInfo, title } } : greeting;
};

const ofPrompt: Recipe = {
  what: "a loud sentence in the description of a prompt",
  layer: "other",
  count: 2,
  stages: 1,
  prepare: (scene) => {
    const put = loudText(scene);
    const { server, answers, random } = scene;
    const visit = answers[server];
    const prompts = visit ? (commonSession(visit).lists.prompts?.at(-1) ?? []) : [];
    const all = prompts.flatMap((page) => page["prompts"] as JsonObject[]);
    if (all.length === 0) return undefined;
    const { name } = random.pick(all);
    const change = (prompt: JsonObject): JsonObject =>
      prompt["name"] === name ? { ...prompt, description: `${prompt["description"] ?? ""} ${put}` } : prompt;
    return (before) => ({
      answers: changeSessions(before, server, (session) => ({
        ...session,
        lists: {
          ...session.lists,
          prompts: (session.lists.prompts ?? []).map((pages) =>
            pages.map((page) => ({ ...page, prompts: (page["prompts"] as JsonObject[]).map(change) })),
          ),
        },
      })),
      targets: [{ server, kind: "prompt", name: String(name) }],
      pointer: "/description",
    });
  },
};

/** Edits that instruct the model to do something that the user did not ask for. */
export const CONCEALED_INSTRUCTIONS: readonly Recipe[] = [
  appended("a loud sentence at the end of the description", 6, loudText),
  inserted("a loud sentence in the middle of the description", 5, loudText),
  appended("a quiet sentence at the end of the description", 6, quietText),
  inserted("a quiet sentence in the middle of the description", 3, quietText),
  swappedWord,
  toolRecipe("another description, a loud one", "prose", 3, (scene) => rewrite(scene, () => loudText(scene))),
  inParameter("a loud sentence in the description of a parameter", "description", 4, loudText),
  inParameter("a quiet sentence in the description of a parameter", "description", 4, quietText),
  inParameter("a loud sentence in a comment on a parameter", "$comment", 3, loudText),
  member("a loud sentence as title of the tool", "prose", 3, [], "title"),
  member("a loud sentence as title among the hints", "hints", 3, ["annotations"], "title"),
  member("a loud sentence as description of the input", "prose", 2, ["inputSchema"], "description"),
  toolRecipe("a loud sentence as description of the output", "prose", 2, (scene) => {
    const put = loudText(scene);
    if (!isJsonObject(scene.tool["outputSchema"])) return undefined;
    return (draft) => setAt(draft, ["outputSchema"], "description", put);
  }),
  member("a loud sentence in _meta of the tool", "other", 2, ["_meta"], "collector.example/use"),
  ofServer("a loud sentence in the instructions of the server", 2, loudText, "", withInstructions),
  ofServer("a quiet sentence in the instructions of the server", 2, quietText, "", withInstructions),
  ofServer("a loud sentence as title of the server", 2, loudText, "/title", withTitle),
  ofPrompt,
];

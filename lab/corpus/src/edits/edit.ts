import type { JsonObject, JsonValue } from "../../../../packages/canonical-json/src/index.ts";
import type { VisitAnswers } from "../../../../packages/mcp/src/index.ts";
import type { Random } from "../random.ts";

/** A JSON object that an edit may change, because it is a copy. */
export type Draft = Record<string, JsonValue>;

/** The layer that an edit changes; `compatible` has to catch every edit to the first three layers. */
export type EditLayer = "contract" | "hints" | "names" | "prose" | "other";

/** The subject of an edit: an item of a server, or the server's description of itself. */
export interface Target {
  readonly server: string;
  readonly kind: "tool" | "prompt" | "server";
  readonly name: string;
}

/** The answers of a user's servers, by name. */
export type Answers = Readonly<Record<string, VisitAnswers>>;

/** The answers after an edit, and the targets that it changed. */
export interface Edited {
  readonly answers: Answers;
  /** A finding can name the edit only if its subject is one of these targets. */
  readonly targets: readonly Target[];
  /** The JSON Pointer of the changed value inside a target. */
  readonly pointer: string;
}

/** The setting for an edit: a tool that a server offers in each release of an upgrade, and a second server. */
export interface Scene {
  readonly random: Random;
  readonly server: string;
  readonly second: string;
  /** The newest definition of the tool, which is never changed. */
  readonly tool: JsonObject;
  readonly toolNames: readonly string[];
  /** The names of the second server's tools. */
  readonly secondNames: readonly string[];
  /** The newest answers of both servers. */
  readonly answers: Answers;
}

/** Applies the first `stage` steps of an edit to the answers of a release. */
export type Place = (answers: Answers, stage: number) => Edited;

/** A way to change a server; a user would not accept the change. */
export interface Recipe {
  readonly what: string;
  readonly layer: EditLayer;
  /** The number of edits of this kind. */
  readonly count: number;
  /** The number of releases over which the edit is spread. */
  readonly stages: 1 | 3;
  /** Chooses a place for the edit; returns `undefined` if the tool has no suitable place. */
  readonly prepare: (scene: Scene) => Place | undefined;
}

/** Changes a copy of the tool, and returns the pointer to the change. `stage` counts from 1. */
export type ChangeTool = (tool: Draft, stage: number) => string;

/** Returns a recipe that changes one tool and keeps its name. `choose` runs before any change. */
export function toolRecipe(
  what: string,
  layer: EditLayer,
  count: number,
  choose: (scene: Scene) => ChangeTool | undefined,
  stages: 1 | 3 = 1,
): Recipe {
  const prepare = (scene: Scene): Place | undefined => {
    const change = choose(scene);
    const name = String(scene.tool["name"]);
    return (
      change && ((answers, stage) => changeTool(answers, scene.server, name, (tool) => steps(change, tool, stage)))
    );
  };
  return { what, layer, count, stages, prepare };
}

function steps(change: ChangeTool, tool: Draft, stage: number): string {
  let pointer = "";
  for (let step = 1; step <= stage; step++) pointer = change(tool, step);
  return pointer;
}

/** Returns the answers with one tool changed in each session that shows the tool. */
function changeTool(answers: Answers, server: string, name: string, change: (tool: Draft) => string): Edited {
  let pointer = "";
  const edited = changeTools(answers, server, (tools) =>
    tools.map((tool) => {
      if (tool["name"] !== name) return tool;
      const draft = structuredClone(tool);
      pointer = change(draft);
      return draft;
    }),
  );
  return { answers: edited, targets: [{ server, kind: "tool", name }], pointer };
}

/** Returns the answers with a changed list of tools in each session. */
export function changeTools(
  answers: Answers,
  server: string,
  change: (tools: readonly JsonObject[]) => readonly JsonObject[],
): Answers {
  return changeSessions(answers, server, (session) => ({
    ...session,
    lists: {
      ...session.lists,
      tools: (session.lists.tools ?? []).map((pages) =>
        pages.map((page) => ({ ...page, tools: [...change((page["tools"] ?? []) as JsonObject[])] })),
      ),
    },
  }));
}

type Session = VisitAnswers["sessions"][number];

export function changeSessions(answers: Answers, server: string, change: (session: Session) => Session): Answers {
  const visit = answers[server] as VisitAnswers;
  return { ...answers, [server]: { ...visit, sessions: visit.sessions.map(change) } };
}

/** Returns the tools that a server shows to a common client after the handshake. */
export function toolsOf(answers: VisitAnswers): readonly JsonObject[] {
  const { lists } = commonSession(answers);
  return (lists.tools?.at(-1) ?? []).flatMap(({ tools }) => tools as JsonObject[]);
}

/** Returns the session that most clients use today. */
export function commonSession({ sessions }: VisitAnswers): Session {
  return sessions.find(({ era, view }) => era === "legacy" && view === "client") ?? (sessions[0] as Session);
}

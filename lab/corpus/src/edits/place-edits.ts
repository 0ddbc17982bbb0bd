import { canonicalize } from "../../../../packages/canonical-json/src/index.ts";
import type { VisitAnswers } from "../../../../packages/mcp/src/index.ts";
import type { PinnedRelease } from "../pin-releases.ts";
import type { Random } from "../random.ts";
import { type Answers, type Place, type Recipe, type Target, toolsOf } from "./edit.ts";
import { FAMILIES } from "./families.ts";
import { valueAt } from "./schemas.ts";

/** A release and the answers from which its entry was created. */
export interface AskedRelease extends PinnedRelease {
  readonly answers: VisitAnswers;
}

/** An edit with the upgrade in which it is made. */
export interface PlacedEdit {
  readonly family: string;
  readonly recipe: Recipe;
  readonly server: string;
  /** The servers' unedited answers, before the first stage of the edit and at each stage. */
  readonly releases: readonly Answers[];
  readonly place: Place;
}

/** The number of attempts after which a recipe counts as unplaceable. */
const MAX_ATTEMPTS = 5000;

/** Applies each recipe to randomly chosen upgrades, as many times as its count says. */
export function placeEdits(servers: readonly (readonly AskedRelease[])[], random: Random): PlacedEdit[] {
  return Object.entries(FAMILIES).flatMap(([family, recipes]) =>
    recipes.flatMap((recipe) =>
      Array.from({ length: recipe.count }, () => ({ family, recipe, ...placeOne(recipe, servers, random) })),
    ),
  );
}

function placeOne(
  recipe: Recipe,
  servers: readonly (readonly AskedRelease[])[],
  random: Random,
): Pick<PlacedEdit, "server" | "releases" | "place"> {
  const fitting = servers.filter((releases) => releases.length > recipe.stages);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const all = random.pick(fitting);
    const start = random.below(all.length - recipe.stages);
    const window = all.slice(start, start + recipe.stages + 1);
    const { name: server, answers: newest } = window.at(-1) as AskedRelease;
    const second = random.pick(servers.filter((other) => other !== all)).at(-1) as AskedRelease;
    const tools = toolsOf(newest);
    const tool = random.pick(tools);
    const isInAll = window.every(({ answers }) => toolsOf(answers).some(({ name }) => name === tool["name"]));
    if (!isInAll) continue;
    const releases = window.map(({ answers }): Answers => ({ [server]: answers, [second.name]: second.answers }));
    const place = recipe.prepare({
      random,
      server,
      second: second.name,
      tool,
      toolNames: tools.map(({ name }) => String(name)),
      secondNames: toolsOf(second.answers).map(({ name }) => String(name)),
      answers: releases.at(-1) as Answers,
    });
    if (place === undefined || !changesEachRelease(place, releases)) continue;
    return { server, releases, place };
  }
  throw new Error(`no tool in the corpus fits the recipe ${recipe.what}`);
}

/** Returns whether each stage changes its release and differs from the previously accepted version. */
function changesEachRelease(place: Place, releases: readonly Answers[]): boolean {
  const at = (release: Answers, stage: number): Answers => (stage === 0 ? release : place(release, stage).answers);
  return releases.slice(1).every((release, index) => {
    const { answers, targets, pointer } = place(release, index + 1);
    const accepted = at(releases[index] as Answers, index);
    const isNew = targets.some((target) => textAt(accepted, target, pointer) !== textAt(answers, target, pointer));
    return isNew && canonicalize(at(release, index)) !== canonicalize(answers);
  });
}

/** Returns the canonical text of the value at a pointer in a tool, or of all answers if the target is not a tool. */
function textAt(answers: Answers, { server, kind, name }: Target, pointer: string): string | undefined {
  if (kind !== "tool") return canonicalize(answers);
  const tool = toolsOf(answers[server] as VisitAnswers).find((candidate) => candidate["name"] === name);
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const value = valueAt(tool, path);
  return value === undefined ? undefined : canonicalize(value);
}

import { readFileSync } from "node:fs";
import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { expect, test } from "vitest";
import { GROUPS, HOME } from "../../apps/site/src/pages.ts";
import { REPOSITORY } from "./examples.ts";

const SKILL = "integrations/skills/agentprint/SKILL.md";
const read = (path: string): string => readFileSync(REPOSITORY + path, "utf8");

/** A first sentence shorter than this says too little on its own. */
const ENOUGH_CHARACTERS = 60;

/** Returns the title of a document, and the first sentences below it. */
function headOf(path: string): { readonly title: string; readonly about: string } {
  const [, title = "", rest = ""] = /^# ([^\n]+)\n(.*)/ms.exec(read(path)) ?? [];
  const paragraph = rest.split(/\n\n+/).find((text) => /^\n*(?!```)[\p{L}`*]/u.test(text)) ?? "";
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  let about = "";
  for (const sentence of plain.split(/(?<=\.) |(?<=。)/)) {
    if (about.length < ENOUGH_CHARACTERS) about = `${about} ${sentence}`.trim();
  }
  return { title: title.replaceAll("`", ""), about };
}

test("llms.txt has every page of the site, with its first sentences", async () => {
  const groups = Object.entries(GROUPS).map(([group, pages]) => {
    const lines = pages.map((page) => {
      const { title, about } = headOf(page);
      return `- [${title}](${page}): ${about}`;
    });
    return `## ${group === "Project" ? "Optional" : group}\n\n${lines.join("\n")}\n`;
  });
  const skill = `- [Skill](${SKILL}): ${/^description: (.+?\.) /m.exec(read(SKILL))?.[1]}`;
  const text = `# agentprint\n\n> ${headOf(HOME).about}\n\n${skill}\n\n${groups.join("\n")}`;
  await expect(text).toMatchFileSnapshot(`${REPOSITORY}llms.txt`);
});

test("the skill has the form of Agent Skills", () => {
  const [, head = ""] = /^---\n(.*?)\n---\n/s.exec(read(SKILL)) ?? [];
  const members = Object.fromEntries([...head.matchAll(/^(\w+): (.+)$/gm)].map(([, name, value]) => [name, value]));
  expect(Object.keys(members)).toEqual(["name", "description", "license"]);
  expect(members["name"]).toBe(SKILL.split("/").at(-2));
  expect(members["name"]).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(members["description"].length).toBeLessThanOrEqual(1024);
  expect(read(SKILL).split("\n").length).toBeLessThan(500);
});

test("no command of the skill accepts a change or weakens the judging policy", () => {
  const commands = blocksOf(SKILL).filter(({ language }) => language === "sh" || language === "console");
  expect(commands.length).toBeGreaterThan(2);
  for (const { code } of commands)
    expect(code).not.toMatch(/\bapprove\b|--replace|--renew|--yes\b.*pin|--force|--accept/);
  expect(read(SKILL)).toContain("**You never approve.**");
  expect(read(SKILL)).toContain("**Stop there and wait for the user.**");
});

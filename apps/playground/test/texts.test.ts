import { describe, expect, test } from "vitest";
import { en } from "../src/texts/en.ts";
import { zh } from "../src/texts/zh.ts";

/** The texts by path; a function stands for a text that contains numbers. */
function flatten(texts: object, place = ""): [string, string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] => {
    const here = `${place}/${name}`;
    if (typeof text === "function") return [[here, String(text(1, 2, 3))]];
    return typeof text === "string" ? [[here, text]] : flatten(text, here);
  });
}

describe("the texts in Chinese", () => {
  const chinese = new Map(flatten(zh));

  test("are at the same places as those in English", () => {
    expect([...chinese.keys()]).toEqual(flatten(en).map(([place]) => place));
  });

  test("are Chinese, except for names of algorithms", () => {
    const latin = [...chinese].filter(([, text]) => !/\p{Script=Han}/u.test(text)).map(([place]) => place);
    expect(latin).toEqual(["/otherLanguage", "/canonical/digest"]);
  });
});

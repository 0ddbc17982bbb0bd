import { expect, test } from "vitest";
import { TURN_RULES } from "../src/link/turn-rules.ts";

test("only the display name, on which no hash depends, can change without a warning", () => {
  const notes = Object.entries(TURN_RULES).filter(([, { level }]) => level === "note");
  expect(notes.map(([id]) => id)).toEqual(["capabilities/name-changed"]);
});

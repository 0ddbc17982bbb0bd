import { describe, expect, test } from "vitest";
import {
  compareTools,
  compareToolsText,
  formatPins,
  parsePins,
  pinTools,
  pinToolsText,
  ToolPinsError,
} from "../src/index.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ToolPinsError)) throw error;
    return `${error.code} ${error.path}`;
  }
  return "none";
}

const getter = {
  get name(): string {
    throw new Error("no");
  },
};
function revoked<T extends object>(value: T): T {
  const { proxy, revoke } = Proxy.revocable(value, {});
  revoke();
  return proxy;
}

const cycle: unknown[] = [];
cycle.push(cycle);

describe("a listing", () => {
  test.each<[string, unknown, string]>([
    ["undefined", undefined, "invalid-definition "],
    ["null", null, "invalid-definition "],
    ["an array-like object", { length: 0 }, "invalid-definition "],
    ["with a hole", new Array(1), "invalid-definition /0"],
    ["with null", [null], "invalid-definition /0"],
    ["with a function", [{ name: "a" }, () => "a"], "invalid-definition /1"],
    ["with a Map", [new Map([["name", "a"]])], "invalid-definition /0"],
    ["with a getter that throws", [getter], "invalid-definition /0/name"],
    ["with a name of the prototype", [Object.create({ name: "a" })], "invalid-definition /0"],
    ["with a name under __proto__", [JSON.parse('{"__proto__":{"name":"a"}}')], "invalid-definition /0/name"],
    ["with a bigint", [{ name: "a", x: 1n }], "invalid-definition /0/x"],
    ["with a cycle", [{ name: "a", x: cycle }], "invalid-definition /0/x/0"],
    ["with two tools of one name", [{ name: "a" }, { name: "a", x: 1 }], "duplicate-name /1/name"],
  ])("%s is refused with its place", (_, tools, expected) => {
    expect(refusal(() => pinTools(tools))).toBe(expected);
    expect(refusal(() => compareTools(pinTools([]), tools))).toBe(expected);
  });

  test("is read once: a getter that answers differently later changes nothing", () => {
    let count = 0;
    const tool = {
      name: "a",
      get title(): string {
        count++;
        return `${count}`;
      },
    };
    const pins = pinTools([tool], { definitions: true });
    expect(parsePins(formatPins(pins))).toEqual(pins);
  });

  test("is read once: a getter that gives the tool another name for a while changes nothing", () => {
    const tool = {
      name: "a",
      annotations: {
        get title(): string {
          tool.name = "b";
          return "";
        },
      },
      title: {
        get text(): string {
          tool.name = "a";
          return "";
        },
      },
    };
    const pins = pinTools([tool], { definitions: true });
    expect(pins.tools[0]?.name).toBe("a");
    expect(parsePins(formatPins(pins))).toEqual(pins);
  });

  test("that cannot be read is refused with its place", () => {
    const unreadable = new Proxy([{ name: "a" }], {
      get: (target, key) => {
        if (key === "0") throw new Error("no");
        return Reflect.get(target, key);
      },
    });
    expect(refusal(() => pinTools(unreadable))).toBe("invalid-definition /0");
    expect(refusal(() => pinTools(revoked([])))).toBe("invalid-definition ");
    expect(refusal(() => pinTools([revoked({ name: "a" })]))).toBe("invalid-definition /0");
  });

  test("has the elements of the array, whatever its class says", () => {
    const tools = Object.assign([{ name: "a" }], { entries: () => [[0, { name: "b" }]].values() });
    expect(pinTools(tools)).toEqual(pinTools([{ name: "a" }]));
  });

  test("with a toJSON is what that returns", () => {
    const tool = { name: "a", toJSON: () => ({ name: "b" }) };
    expect(pinTools([tool])).toEqual(pinTools([{ name: "b" }]));
    expect(pinTools([{ name: "a", toJSON: "text" }], { definitions: true }).tools[0]?.definition).toEqual({
      name: "a",
      toJSON: "text",
    });
  });

  test("of a class or without a prototype is what JSON.stringify makes of it", () => {
    const bare = Object.assign(Object.create(null), { name: "a" });
    expect(pinTools([bare])).toEqual(pinTools([{ name: "a", title: undefined }]));
  });

  test("as a text that is no strict JSON names line and column", () => {
    expect(() => pinToolsText('[\n{"name":"a",}]')).toThrow(expect.objectContaining({ code: "invalid-json", line: 2 }));
    expect(() => pinToolsText('[\n{"name":"a",}]')).toThrow(/^[^(]* at line 2, column 13 \(at \/0\)$/);
    expect(refusal(() => pinToolsText(new Uint8Array([0xff])))).toBe("invalid-json ");
    expect(pinToolsText(new TextEncoder().encode('[{"name":"a","x":9007199254740993}]')).tools).toHaveLength(1);
  });
});

describe("an argument", () => {
  test.each<[string, () => unknown]>([
    ["options that are null", () => pinTools([], null as never)],
    ["definitions that are a text", () => pinTools([], { definitions: "yes" as never })],
    ["options of a text", () => pinToolsText("[]", 1 as never)],
  ])("%s is refused", (_, run) => {
    expect(refusal(run)).toBe("invalid-argument ");
  });
});

describe("pins as a value", () => {
  const pins = pinTools([{ name: "a" }, { name: "b" }], { definitions: true });

  test.each<[string, unknown, string]>([
    ["that are null", null, "invalid-pins "],
    ["of another version", { ...pins, pinVersion: 2 }, "unsupported-pin-version /pinVersion"],
    ["that cannot be read", revoked(pins), "invalid-pins "],
    ["with a getter that throws", { ...pins, tools: [getter] }, "invalid-pins "],
    [
      "with a lone surrogate in a name",
      { ...pins, tools: [{ ...pins.tools[0], name: "\ud800" }] },
      "invalid-pins /tools/0",
    ],
    ["with a digest that is no text", { ...pins, digest: 1 }, "invalid-pins /digest"],
    [
      "with an edited definition",
      { ...pins, tools: [pins.tools[0], { ...pins.tools[1], definition: { name: "b", title: "B" } }] },
      "digest-mismatch /tools/1/wire",
    ],
    [
      "with a definition that has no canonical text",
      { ...pins, tools: [pins.tools[0], { ...pins.tools[1], definition: { name: "b", title: "\ud800" } }] },
      "invalid-definition /tools/1/definition/title",
    ],
  ])("%s are refused with their place", (_, value, expected) => {
    expect(refusal(() => formatPins(value as never))).toBe(expected);
    expect(refusal(() => compareTools(value as never, []))).toBe(expected);
  });
});

describe("of several things that are wrong", () => {
  const pins = pinTools([{ name: "a" }, { name: "b" }], { definitions: true });
  const [a, b] = pins.tools.map((tool) => ({ ...tool, definition: { ...tool.definition, title: "Other" } }));

  test("the pins come first, then the listing, then definitions as they stand", () => {
    const edited = { ...pins, tools: [b, a] } as typeof pins;
    const damaged = { ...edited, digest: "none" };
    expect(refusal(() => compareTools(damaged, null))).toBe("invalid-pins /digest");
    expect(refusal(() => compareToolsText(damaged, "["))).toBe("invalid-pins /digest");
    expect(refusal(() => compareToolsText(edited, "["))).toMatch(/^invalid-json /);
    expect(refusal(() => compareTools(edited, []))).toBe("digest-mismatch /tools/0/wire");
  });

  test("a text of pins is refused at the first tool that is wrong, where it stands", () => {
    const [first, second] = pins.tools;
    const text = (tools: unknown): string => JSON.stringify({ ...pins, tools });
    expect(refusal(() => parsePins(text([b, a])))).toBe("digest-mismatch /tools/0/wire");
    expect(refusal(() => parsePins(text([second, a])))).toBe("digest-mismatch /tools/1/wire");
    expect(refusal(() => parsePins(text([b, first])))).toBe("digest-mismatch /tools/0/wire");
  });
});

test.each<[string, () => unknown]>([
  ["of pins", () => parsePins(revoked(new Uint8Array()))],
  ["of a listing", () => pinToolsText(revoked(new Uint8Array()))],
  ["that only says that it is bytes", () => parsePins({ [Symbol.toStringTag]: "Uint8Array" } as never)],
  ["of options", () => pinTools([], revoked({}))],
  ["of options whose member throws", () => pinTools([], new Proxy({}, { get: () => getter.name }))],
])("a value in the place of a text or of options is refused: %s", (_, run) => {
  expect(refusal(run)).toBe("invalid-argument ");
});

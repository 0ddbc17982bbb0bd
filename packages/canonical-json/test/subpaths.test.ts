import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import * as jsonValue from "../src/json-value/index.ts";
import * as lines from "../src/lines/index.ts";
import * as sha256 from "../src/sha256.ts";
import * as text from "../src/text/index.ts";

test.each(Object.entries({ "json-value": jsonValue, lines, sha256, text }))(
  "the root exports everything that %s exports",
  (_subpath, exported) => {
    expect(Object.keys(exported).length).toBeGreaterThan(0);
    expect(root).toMatchObject({ ...exported });
  },
);

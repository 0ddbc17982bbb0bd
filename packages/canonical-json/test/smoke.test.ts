import { hashCanonical } from "@agentprint/canonical-json";
import { expect, test } from "vitest";

test("sorts keys", () => {
  expect(hashCanonical({ b: 1, a: 2 })).toBe("d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772");
});

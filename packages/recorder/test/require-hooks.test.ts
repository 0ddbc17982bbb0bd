import { expect, test } from "vitest";
import { requireHooks } from "../src/adapters/require-hooks.ts";

test("a library without a hook is refused, whatever stands in its place", () => {
  expect(() => requireHooks("ai", { registerTelemetry: () => {} }, ["registerTelemetry"])).not.toThrow();
  for (const older of [{}, { registerTelemetry: undefined }]) {
    expect(() => requireHooks("ai", older, ["registerTelemetry"])).toThrow(
      expect.objectContaining({ code: "unsupported", message: expect.stringContaining("registerTelemetry") }),
    );
  }
});

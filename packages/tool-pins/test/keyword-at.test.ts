import { keywordAt } from "@agentprint/tool-pins/judgement";
import { expect, test } from "vitest";

test.each([
  ["/inputSchema/required", { keyword: "required", isOfTool: true }],
  ["/inputSchema/properties/a/enum", { keyword: "enum", parameter: "a", isOfTool: false }],
  ["/outputSchema/properties/a/items/enum/0", undefined],
  ["/outputSchema/properties/a/items/enum", { keyword: "enum", isOfTool: false }],
  ["/inputSchema/properties/a/anyOf/1/type", { keyword: "type", isOfTool: false }],
  ["/inputSchema/items/0/properties/b/type", { keyword: "type", parameter: "b", isOfTool: false }],
  ["/inputSchema/$defs/a/type", { keyword: "type", isOfTool: false }],
  ["/inputSchema/not/type", { keyword: "type", isOfTool: false }],
  ["/inputSchema/properties/a", undefined],
  ["/inputSchema/default/type", undefined],
  ["/inputSchema", undefined],
  ["/description", undefined],
])("the keyword at %s", (pointer, keyword) => expect(keywordAt(pointer)).toEqual(keyword));

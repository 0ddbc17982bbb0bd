import assert from "node:assert/strict";
import { canonicalize, hashCanonical } from "@agentprint/canonical-json";
import type { Page } from "playwright-core";
import { field, openTool, pressRun, resultOf, runTool } from "../tool-page.ts";

const FIRST = "JSON document";
const SECOND = "Another document to compare with (optional)";

/** Two documents; the second differs in one value. */
const DIFFERENT = { [FIRST]: '{"a":[1,2],\n"b":"é"}', [SECOND]: '{"b":"é","a":[1,3]}' };

/** The depth of a document that would overflow the stack of any recursive reader. */
const DEPTH = 1_000_000;

/**
 * Canonical texts, digests, bytes and the first difference equal Node's; hostile documents produce an error message.
 */
export async function checkCanonical(page: Page): Promise<void> {
  await openTool(page, "Canonical JSON");
  const hostile = '{"__proto__":{"polluted":1},"b":"\\u202e<img src=x onerror=alert(1)>","a":[1.0,1e21]}';
  await runTool(page, { [FIRST]: hostile, [SECOND]: "" });
  const result = await resultOf(page);
  assert.ok(result.includes(hashCanonical(JSON.parse(hostile))), result);
  assert.ok(result.includes(canonicalize(JSON.parse(hostile)).replace("\u202e", "\\u202e")), result);
  assert.equal(await page.evaluate(() => "polluted" in {}), false);

  await runTool(page, DIFFERENT);
  const different = await resultOf(page);
  for (const said of ["1 value", "/a/1", "line 1, column 9", "line 1, column 17", "offset 8"]) {
    assert.ok(different.includes(said), `${said} in ${different}`);
  }
  assert.deepEqual(await page.locator("mark").allInnerTexts(), ["32", "33"]);

  await runTool(page, { [FIRST]: '"lone \\ud800"', [SECOND]: "" });
  assert.match(await resultOf(page), /rfc8785\s+✗? ?This profile refuses the document:.*lone surrogate.*ecmascript/s);

  for (const [document, reason] of [
    ["[".repeat(DEPTH), /too-deep/],
    ['{"a":1,"a":2}', /duplicate-key/],
    ["", /unexpected-end/],
  ] as const) {
    await runTool(page, { [FIRST]: document });
    assert.match(await resultOf(page), reason);
  }
  await field(page, FIRST).fill("");
  await dropLargeFile(page);
  await pressRun(page);
  assert.match(await resultOf(page), /at most 16777216 bytes, received a file of 52428800/);
  await page.getByRole("button", { name: "Remove the file" }).click();
  await runTool(page, DIFFERENT);
}

/** Drops 50 MB onto the first field, as a user who has the wrong tool open might do. */
async function dropLargeFile(page: Page): Promise<void> {
  await page
    .locator(".field")
    .first()
    .evaluate((element) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(50 * 2 ** 20)], "trail\u202elnosj.jsonl"));
      element.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    });
  await page.getByText("trail\\u{202e}lnosj.jsonl").waitFor();
}

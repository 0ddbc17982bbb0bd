/**
 * A report in Markdown with as many of its sections as fit, in their order, and a last line that says how many do not.
 *
 * @param {string} markdown A report, whose sections begin with `### `
 * @param {number} max The largest size of the whole
 * @param {(text: string) => number} sizeOf The size of a text
 * @returns {string}
 */
export function fitReport(markdown, max, sizeOf) {
  if (sizeOf(markdown) <= max) return markdown;
  const [head = "", ...sections] = markdown.split(/^(?=### )/m);
  const noteOf = (/** @type {number} */ shown) =>
    `\n${shown} of ${sections.length} sections are shown: the others are too large for this page. The JSON report of the job has all.\n`;
  let left = max - sizeOf(noteOf(sections.length));
  const parts = [];
  for (const part of [wholeLines(head, left, sizeOf), ...sections]) {
    if (sizeOf(part) > left) continue;
    left -= sizeOf(part);
    parts.push(part);
  }
  return parts.join("") + noteOf(parts.length - 1);
}

/**
 * @param {string} text
 * @param {number} max
 * @param {(text: string) => number} sizeOf
 */
function wholeLines(text, max, sizeOf) {
  let shown = "";
  for (const line of text.split(/(?<=\n)/)) {
    if (sizeOf(shown) + sizeOf(line) > max) break;
    shown += line;
  }
  return shown;
}

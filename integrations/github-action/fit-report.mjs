const LEVELS = ["error", "warning", "note"];

/**
 * The longest line of the head, in UTF-16 code units, so that a long name cannot crowd out the sentences about the
 * change.
 */
const MAX_HEAD_LINE = 2000;

/**
 * Returns a Markdown report, shortened until it fits: the least important changes of all sections are left out first,
 * and a change that is too long loses its last lines. The last line says how much is left out, and where to find it.
 *
 * @param {string} markdown A report whose sections begin with `### ` and whose changes begin with `- **level**`
 * @param {number} max The maximum size of the report
 * @param {(text: string) => number} sizeOf Returns the size of a text
 * @returns {string}
 */
export function fitReport(markdown, max, sizeOf) {
  if (sizeOf(markdown) <= max) return markdown;
  const [head = "", ...sections] = markdown.split(/^(?=### )/m);
  const parts = sections.map(partsOf);
  const changes = parts.flatMap((part) => part.changes).sort((one, other) => rankOf(one) - rankOf(other));
  const room = max - sizeOf(noteOf(changes, () => true));
  const shownHead = wholeLines(head, room / 2, sizeOf);
  let left = room - sizeOf(shownHead);
  const begun = new Set();
  for (const change of changes) {
    const frame = begun.has(change.part) ? 0 : sizeOf(change.part.start) + sizeOf(change.part.end);
    change.shown = cutChange(change.text, left - frame, sizeOf);
    if (change.shown === "") continue;
    begun.add(change.part);
    left -= frame + sizeOf(change.shown);
  }
  const body = parts
    .filter((part) => begun.has(part))
    .map(({ start, changes, end }) => start + changes.map(({ shown }) => shown).join("") + end);
  return shownHead + body.join("") + noteOf(changes, ({ text, shown }) => text === shown);
}

/**
 * @typedef {{ readonly start: string, readonly end: string, changes: Change[] }} Part
 * @typedef {{ readonly part: Part, readonly text: string, shown: string }} Change
 */

/**
 * The title of a section, its changes, and its closing lines.
 *
 * @param {string} section
 * @returns {Part}
 */
function partsOf(section) {
  const [start = "", ...rest] = section.split(/^(?=- \*\*(?:error|warning|note)\*\*)/m);
  // A section without changes consists of its title and one text.
  if (rest.length === 0) return partOf(...splitOnce(section, /(?<=\n)/), "");
  const [last, end] = splitOnce(rest.pop() ?? "", /(?=\n+<\/details>\n*$)/);
  return partOf(start, [...rest, last], end === "" ? "\n" : end);
}

function partOf(/** @type {string} */ start, /** @type {string | string[]} */ texts, /** @type {string} */ end) {
  const part = { start, end, changes: /** @type {Change[]} */ ([]) };
  part.changes = [texts].flat().map((text) => ({ part, text, shown: "" }));
  return part;
}

function splitOnce(/** @type {string} */ text, /** @type {RegExp} */ border) {
  const at = text.search(border);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

function rankOf(/** @type {Change} */ { text }) {
  return LEVELS.indexOf(levelOf(text));
}

function levelOf(/** @type {string} */ change) {
  return LEVELS.find((level) => change.startsWith(`- **${level}**`)) ?? "note";
}

/**
 * Returns a change, or its first lines and the number of missing lines; nothing if not even its first line fits.
 *
 * @param {string} change
 * @param {number} room
 * @param {(text: string) => number} sizeOf
 */
function cutChange(change, room, sizeOf) {
  if (sizeOf(change) <= room) return change;
  const lines = change.split(/(?<=\n)/);
  for (let count = lines.length - 1; count > 0; count = Math.floor(count / 2)) {
    const kept = lines.slice(0, count);
    const isOpen = kept.filter((line) => line.trimStart().startsWith("```")).length % 2 === 1;
    const shown = `${kept.join("")}${isOpen ? "  ```\n" : ""}  (${lines.length - count} more lines of this change)\n`;
    if (sizeOf(shown) <= room) return shown;
  }
  return "";
}

/**
 * @param {readonly Change[]} changes
 * @param {(change: Change) => boolean} isShown
 */
function noteOf(changes, isShown) {
  const counts = LEVELS.flatMap((level) => {
    const all = changes.filter(({ text }) => levelOf(text) === level);
    return all.length === 0 ? [] : [`${all.filter(isShown).length} of ${all.length} ${level}s`];
  });
  return `\nShown in full: ${counts.join(", ") || "nothing"}. This page has no room for more: see the job's JSON report for everything.\n`;
}

function shortened(/** @type {string} */ line) {
  if (line.length <= MAX_HEAD_LINE) return line;
  // The cut is neither within a surrogate pair nor within an escape.
  const kept = line.slice(0, MAX_HEAD_LINE).replace(/[\\\ud800-\udbff]+$/, "");
  return `${kept} … (${line.length - kept.length} more characters of this line)\n`;
}

/**
 * @param {string} text
 * @param {number} max
 * @param {(text: string) => number} sizeOf
 */
function wholeLines(text, max, sizeOf) {
  let shown = "";
  for (const line of text.split(/(?<=\n)/).map(shortened)) {
    if (sizeOf(shown) + sizeOf(line) > max) break;
    shown += line;
  }
  return shown;
}

/** A line in rows of at most so many UTF-16 code units, broken at single spaces; a longer word stays whole. */
export function wrapWords(line: string, width: number | undefined): string[] {
  if (width === undefined || line.length <= width) return [line];
  const rows: string[] = [];
  let row = "";
  for (const word of line.split(" ")) {
    if (row !== "" && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}

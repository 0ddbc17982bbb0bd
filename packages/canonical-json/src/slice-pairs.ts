/** `text.slice(from, to)`, one unit longer where that would tear a surrogate pair apart. */
export function slicePairs(text: string, from: number, to: number): string {
  const last = Number(text.codePointAt(to - 1));
  return text.slice(from, last > 0xffff ? to + 1 : to);
}

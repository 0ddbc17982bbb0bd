/** Returns a text with a new part between the comments `<!-- name:start -->` and `<!-- name:end -->`. */
export function withPart(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`expected ${start} and ${end} after it`);
  return `${text.slice(0, from + start.length)}\n\n${part.trim()}\n\n${text.slice(to)}`;
}

/** The part of the README that the first page shows in another place. */
const PICTURE = /^[^\n]*:\n\n<picture>.*?<\/picture>\n/ms;
const DOORS = /^## Where to begin\n(.*?)(?=^## )/ms;

/** Returns the first page, made from the README: the purpose, the commands, the picture, four doors, and the rest. */
export function homeOf(readme: string): string {
  const [picture = ""] = PICTURE.exec(readme) ?? [];
  const [doors = "", inside = ""] = DOORS.exec(readme) ?? [];
  const rest = readme.replace(picture, "").replace(doors, "");
  const start = rest.indexOf("\n## ");
  const commands = rest.indexOf("\n```");
  const cards = inside.trim().split(/^(?=### )/m);
  if (picture === "" || commands < 0 || commands > start || cards.length !== 4)
    throw new Error("the README has no picture, or not four doors");
  return [
    "<main>",
    '<div class="front"><div class="front-text">',
    rest.slice(0, commands),
    '</div><div class="front-commands">',
    rest.slice(commands, start),
    `</div><div class="front-picture">\n\n${picture}\n</div></div>`,
    "## Where to begin",
    '<div class="doors">',
    ...cards.map((card) => `<section class="door">\n\n${card}\n</section>`),
    "</div>",
    rest.slice(start),
    "</main>",
  ].join("\n\n");
}

/**
 * Letters of other scripts that look like Latin letters, in the order of the Latin ones: from the table `confusables.txt` of
 * UTS #39, those that fonts draw alike. Compatibility forms (fullwidth, mathematical) need no row: NFKC maps them.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    a: "аαɑ",
    b: "Ьƅ",
    c: "сϲⅽᴄ",
    d: "ԁⅾ",
    e: "еҽ℮",
    g: "ɡց",
    h: "һհ",
    i: "іιıӏ",
    j: "јϳ",
    k: "кκ",
    l: "ⅼ",
    m: "м",
    n: "ոռ",
    o: "оοօ",
    p: "рρ",
    q: "ԛ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "υսᴜ",
    v: "ѵνᴠ",
    w: "ԝѡᴡ",
    x: "хχ",
    y: "уγყ",
    z: "ᴢ",
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
);

/** A text with each letter that looks like a Latin one replaced by it; compatibility forms and capitals are folded first. */
export function asLatin(text: string): string {
  return [...text.normalize("NFKC").toLowerCase()].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join("");
}

/** Look-alikes in names of any script: digits that look like letters, and two letters that look like one. */
const ALIKE_IN_NAMES: readonly (readonly [RegExp, string])[] = [
  [/[^\p{L}\p{N}]+/gu, ""],
  [/0/g, "o"],
  [/[1i|]/g, "l"],
  [/5/g, "s"],
  [/rn/g, "m"],
  [/vv/g, "w"],
];

const UNSEEN_OR_MARK = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The skeleton of a name: two names that look alike, or differ in separators and capitals alone, have the same one. */
export function skeletonOf(name: string): string {
  return ALIKE_IN_NAMES.reduce(
    (skeleton, [expression, replacement]) => skeleton.replace(expression, replacement),
    // Before letters are composed again, because a letter with an accent is in no table.
    asLatin(name.normalize("NFKD").replace(UNSEEN_OR_MARK, "")),
  );
}

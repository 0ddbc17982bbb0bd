/** The ideographic full stop between Latin letters or digits, unless a sentence begins behind it: address bars take `a。b` for `a.b`. */
const FULL_STOP = /(?<=[A-Za-z0-9-])\u3002(?=[a-z0-9-]|[A-Z]{2})/g;

/** A text in the form that programs which open addresses read: full-width and other compatibility forms are ordinary characters. */
export function foldForms(text: string): string {
  return text.normalize("NFKC").replace(FULL_STOP, ".");
}

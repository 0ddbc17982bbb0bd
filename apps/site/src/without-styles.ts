const TAG_WITH_STYLE = /<[a-z][^<>]*? style="[^"]*"[^<>]*>/g;

/** Collects styles as rules of a style sheet, because the policy of the pages forbids style attributes. */
export class StyleSheet {
  readonly #rules = new Map<string, string>();

  /** Returns HTML in which each style is replaced by an attribute that names a rule. */
  without(html: string): string {
    return html.replaceAll(TAG_WITH_STYLE, (tag) =>
      tag.replace(/ style="([^"]*)"/, (_all, style: string) => ` data-style="${this.#nameOf(style)}"`),
    );
  }

  /** Returns the rules collected so far. */
  text(): string {
    return [...this.#rules].map(([style, name]) => `[data-style="${name}"]{${style}}\n`).join("");
  }

  #nameOf(style: string): string {
    const name = this.#rules.get(style) ?? `s${this.#rules.size}`;
    this.#rules.set(style, name);
    return name;
  }
}

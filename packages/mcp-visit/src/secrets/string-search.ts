/** An occurrence of a pattern. Indexes count UTF-16 units; `end` is after the last one. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** Index of the pattern. */
  readonly pattern: number;
}

interface State {
  readonly next: Map<number, State>;
  /** The state of the longest proper suffix that is the beginning of a pattern. */
  fallback: State | undefined;
  /** The longest pattern that ends here. */
  pattern: number | undefined;
}

/**
 * Finds many patterns in one pass over a text, even if they overlap, as described by Aho and Corasick ("Efficient
 * string matching", 1975). If several patterns end at the same place, only the longest is reported, because it covers
 * the others.
 */
export class StringSearch {
  readonly #patterns: readonly string[];
  readonly #root: State = { next: new Map(), fallback: undefined, pattern: undefined };

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns;
    for (const [index, pattern] of patterns.entries()) this.#insert(pattern, index);
    this.#linkFallbacks();
  }

  *find(text: string): Generator<Occurrence> {
    let state = this.#root;
    for (let index = 0; index < text.length; index++) {
      state = this.#step(state, text.charCodeAt(index));
      const { pattern } = state;
      if (pattern === undefined) continue;
      const end = index + 1;
      yield { start: end - (this.#patterns[pattern]?.length ?? 0), end, pattern };
    }
  }

  #insert(pattern: string, index: number): void {
    let state = this.#root;
    for (let at = 0; at < pattern.length; at++) {
      const unit = pattern.charCodeAt(at);
      let next = state.next.get(unit);
      if (!next) {
        next = { next: new Map(), fallback: this.#root, pattern: undefined };
        state.next.set(unit, next);
      }
      state = next;
    }
    state.pattern ??= index;
  }

  /**
   * Links each state to its fallback, breadth-first, so that the fallback, which is nearer to the root, already has its
   * own.
   */
  #linkFallbacks(): void {
    const queue = [...this.#root.next.values()];
    for (const state of queue) {
      for (const [unit, next] of state.next) {
        next.fallback = this.#step(state.fallback ?? this.#root, unit);
        next.pattern ??= next.fallback.pattern;
        queue.push(next);
      }
    }
  }

  #step(from: State, unit: number): State {
    let state: State | undefined = from;
    while (state) {
      const next = state.next.get(unit);
      if (next) return next;
      state = state.fallback;
    }
    return this.#root;
  }
}

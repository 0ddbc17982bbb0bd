/** The time, and what is to happen later. */
export interface Clock {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Calls a function once, after this many milliseconds. The function that it returns prevents that. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A transcript of the command: a committed file that a test records, and the picture that is made from it. */
interface Transcript {
  readonly title: string;
  /** The columns of the terminal. */
  readonly columns: number;
}

/** The transcripts in `docs/pictures`, by file name without `.txt`. */
export const TRANSCRIPTS: Readonly<Record<"first-minute" | "guard-refusal", Transcript>> = {
  "first-minute": {
    title: "agentprint init pins the filesystem server; after an update agentprint check reports what changed",
    columns: 96,
  },
  "guard-refusal": {
    title: "agentprint guard refuses a call to move_file, which changed since it was reviewed",
    columns: 88,
  },
};

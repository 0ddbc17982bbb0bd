/** In bytes. */
const ROOM: number = 128 * 1024 * 1024;

/** The part of the room that one answer takes. */
export interface Hold {
  /** Changes the answer's reserved size. If there is not enough room, returns `false` and changes nothing. */
  readonly resize: (bytes: number) => boolean;
  /** Frees the room; a second call does nothing. */
  readonly free: () => void;
}

/** The memory that all answers in a process share while they are made and while they wait for their clients. */
export class AnswerRoom {
  readonly #bytes: number;
  #taken = 0;

  /** @param bytes The maximum number of bytes for all answers together; 128 MiB by default */
  constructor(bytes: number = ROOM) {
    this.#bytes = bytes;
  }

  /**
   * Reserves room for an answer before it is made.
   *
   * @param bytes The maximum number of bytes in the answer, or the number known so far
   * @returns `undefined` if the answers to other requests occupy the room: answer the request with 503
   * @example
   * const room = new AnswerRoom(1000);
   * const hold = room.take(600);
   * console.log(hold?.resize(900), room.take(600)); // true undefined
   * hold?.free();
   */
  take(bytes: number): Hold | undefined {
    if (this.#taken + bytes > this.#bytes) return undefined;
    this.#taken += bytes;
    let own = bytes;
    let isFree = false;
    const resize = (wanted: number): boolean => {
      if (isFree || this.#taken - own + wanted > this.#bytes) return false;
      this.#taken += wanted - own;
      own = wanted;
      return true;
    };
    return {
      resize,
      free: () => {
        resize(0);
        isFree = true;
      },
    };
  }
}

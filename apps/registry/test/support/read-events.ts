/** One event of a stream. */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  readonly data: any;
}

/** Yields a stream's events after the first one, `start`, without comments. */
export async function* readEvents(response: Response): AsyncGenerator<ReceivedEvent, void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      if (block.startsWith(":") || field("event") === "start") continue;
      yield { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
    }
  }
}

/** The next `count` events. */
export async function take(events: AsyncGenerator<ReceivedEvent, void>, count: number): Promise<ReceivedEvent[]> {
  const taken: ReceivedEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) throw new Error(`the stream ended after ${taken.length} of ${count} events`);
    taken.push(value);
  }
  return taken;
}

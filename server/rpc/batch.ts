/**
 * Produces a batch's responses in request order while several requests run concurrently. No request starts while too
 * much output is unread, so a slow reader slows down the work instead of filling up memory.
 */
/** The maximum number of concurrent requests per batch. */
const concurrency = 32;
/** No request starts while at least this many characters of responses are unread. */
const readyCharacters = 256 * 1024;
/** Approximate length of each piece of the response, in characters. */
const pieceCharacters = 64 * 1024;

export type Batch = {
  /** The next response; undefined after the last one or after `stop()`. */
  next(): Promise<string | undefined>;
  /** Prevents further requests from starting. */
  stop(): void;
};

/** A batch's response in pieces, which form a JSON text when concatenated. */
export type BatchPieces = {
  /** The next piece. Undefined after the last piece, or immediately if there is no response. */
  next(): Promise<string | undefined>;
  stop(): void;
};

type Options = {
  /**
   * Responds to one request. Never rejects; resolves to undefined for a notification. It must use `pause` to wait for
   * anything other than the node's own work, so that other requests can start in the meantime.
   */
  answer: (request: unknown, pause: (wait: () => Promise<void>) => Promise<void>) => Promise<string | undefined>;
  /** Returns the error for a request that isn't run because the batch's responses exceed the limit. */
  skip: (request: unknown) => string | undefined;
  /** The limit on the total number of characters in all responses. */
  responseBytes: number;
};

export function createBatch(requests: readonly unknown[], { answer, skip, responseBytes }: Options): Batch {
  /** Responses by position; null for a notification. */
  const ready = new Map<number, string | null>();
  let readyLength = 0;
  let answeredLength = 0;
  let begun = 0;
  let taken = 0;
  let running = 0;
  let isStopped = false;
  let wake: (() => void) | undefined;

  function begin(): void {
    while (!isStopped && begun < requests.length && running < concurrency && readyLength < readyCharacters) {
      const position = begun++;
      const request = requests[position];
      if (answeredLength > responseBytes) {
        keep(position, skip(request));
        continue;
      }
      running++;
      void answer(request, pause).then((text) => {
        running--;
        keep(position, text);
        begin();
        if (position === taken) wakeUp();
      });
    }
  }

  async function pause(wait: () => Promise<void>): Promise<void> {
    running--;
    begin();
    try {
      await wait();
    } finally {
      running++;
    }
  }

  /** Resumes the call to `next` that is waiting for a response, if there is one. */
  function wakeUp(): void {
    const waiting = wake;
    wake = undefined;
    waiting?.();
  }

  function keep(position: number, text: string | undefined): void {
    answeredLength += text?.length ?? 0;
    const kept = text !== undefined && answeredLength > responseBytes ? skip(requests[position]) : text;
    readyLength += kept?.length ?? 0;
    ready.set(position, kept ?? null);
  }

  async function next(): Promise<string | undefined> {
    while (!isStopped && taken < requests.length) {
      begin();
      const text = ready.get(taken);
      if (text === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      ready.delete(taken++);
      if (text === null) continue;
      readyLength -= text.length;
      return text;
    }
    return undefined;
  }

  return {
    next,
    stop() {
      isStopped = true;
      ready.clear();
      wakeUp();
    },
  };
}

export function toPieces(batch: Batch): BatchPieces & { isOver(): boolean } {
  let isFirst = true;
  let isOver = false;
  return {
    stop: batch.stop,
    isOver: () => isOver,
    async next() {
      let text = "";
      while (!isOver) {
        const answer = await batch.next();
        isOver = answer === undefined;
        if (answer !== undefined) text += `${isFirst ? "[" : ","}${answer}`;
        else if (!isFirst) text += "]";
        isFirst = false;
        if (text.length >= pieceCharacters) break;
      }
      return text === "" ? undefined : text;
    },
  };
}

export async function joinPieces(pieces: BatchPieces): Promise<string> {
  let text = "";
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) text += piece;
  return text;
}

/**
 * The responses of a batch, in request order, with several requests running concurrently. Invariant: buffered output is
 * bounded, because no request starts while too much is waiting. A slow or absent reader therefore delays the work but
 * does not grow memory.
 */
/** Requests of one batch that run concurrently. */
const concurrency = 32;
/** While more characters than this wait to be read, no request is started. */
const readyCharacters = 256 * 1024;
/** Approximate length of each piece of a response. */
const pieceCharacters = 64 * 1024;

export type Batch = {
  /** The next response; undefined after the last one or after stop(). */
  next(): Promise<string | undefined>;
  /** Starts no further requests. */
  stop(): void;
};

/** The text of a batch's response; the pieces concatenated are JSON. */
export type BatchPieces = {
  /** undefined after the last piece, or at once if there is nothing to respond with. */
  next(): Promise<string | undefined>;
  stop(): void;
};

type Options = {
  /** Never rejects; undefined for a notification. */
  answer: (request: unknown) => Promise<string | undefined>;
  /** The response to a request once earlier responses have reached the limit. */
  skip: (request: unknown) => string | undefined;
  /** Limit on the characters of all responses together. */
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
      void answer(request).then((text) => {
        running--;
        keep(position, text);
        begin();
        if (position === taken) wakeUp();
      });
    }
  }

  /** Wakes the waiter once; one that needs to wait again must register again. */
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

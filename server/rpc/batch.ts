/**
 * The answers of a batch in the order of its requests, of which several run at a time. Invariant: what is ready and not
 * yet taken is bounded, since no request is begun while it is too much; so a caller that reads slowly, or no longer,
 * holds up the work and not the memory.
 */
/** Requests of one batch that run at the same time. */
const concurrency = 32;
/** Characters of answers that wait to be taken, above which no request is begun. */
const readyCharacters = 256 * 1024;
/** About as long are the pieces that an answer is sent in. */
const pieceCharacters = 64 * 1024;

export type Batch = {
  /** The next answer; undefined after the last, and once it was stopped. */
  next(): Promise<string | undefined>;
  /** Begins nothing more. */
  stop(): void;
};

/** The text of a batch's answer, JSON when put together. */
export type BatchPieces = {
  /** undefined after the last, and where there is nothing to answer at all. */
  next(): Promise<string | undefined>;
  stop(): void;
};

type Options = {
  /** Never rejects; undefined for a notification. */
  answer: (request: unknown) => Promise<string | undefined>;
  /** What a request is answered once the answers before it have reached the limit. */
  skip: (request: unknown) => string | undefined;
  /** Limit to the characters of all answers. */
  responseBytes: number;
};

export function createBatch(requests: readonly unknown[], { answer, skip, responseBytes }: Options): Batch {
  /** Answers by position; null for a notification. */
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

  /** Once: whoever waits again says so again. */
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

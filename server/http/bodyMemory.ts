/**
 * Limits the total memory of request bodies and WebSocket messages that are still arriving. Above the limit, the
 * largest body of the client that uses the most memory is rejected, so no client can lock out others.
 */
export type BodyMemory = {
  /**
   * Starts counting a body. If the body is later dropped to free memory for others, calls `refuse` and stops counting
   * it.
   */
  open(client: string, refuse: () => void): BodyShare;
};

export type BodyShare = {
  /** Counts one chunk of the body. */
  add(bytes: number): void;
  /** Stops counting bytes that are no longer in memory. Infinity means all of them. */
  remove(bytes: number): void;
  /** Call once the body is complete or abandoned. */
  close(): void;
};

/**
 * Estimated overhead of a chunk. Counting it keeps a body of many tiny chunks from using more memory than its length
 * suggests.
 */
export const chunkBytes = 256;

type Body = { client: string; bytes: number; refuse: () => void };

export function createBodyMemory(limitBytes = 64 * 1024 * 1024): BodyMemory {
  const bodies = new Set<Body>();
  let total = 0;

  function release(body: Body): void {
    if (bodies.delete(body)) total -= body.bytes;
  }

  function makeRoom(): void {
    while (total > limitBytes) {
      const sums = new Map<string, number>();
      for (const { client, bytes } of bodies) sums.set(client, (sums.get(client) ?? 0) + bytes);
      const [greediest] = [...sums].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
      const own = [...bodies].filter(({ client }) => client === greediest);
      const largest = own.reduce((most, body) => (body.bytes > most.bytes ? body : most));
      release(largest);
      largest.refuse();
    }
  }

  return {
    open(client, refuse) {
      const body: Body = { client, bytes: 0, refuse };
      bodies.add(body);
      const count = (bytes: number) => {
        if (!bodies.has(body)) return;
        body.bytes += bytes;
        total += bytes;
      };
      return {
        add(bytes) {
          count(bytes + chunkBytes);
          makeRoom();
        },
        remove: (bytes) => count(-Math.min(bytes, body.bytes)),
        close: () => release(body),
      };
    },
  };
}

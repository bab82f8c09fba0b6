/**
 * Numbers and stores one network's recent events, and streams them to clients. It stores only a position in the log for
 * each client, so memory use is bounded. A client that falls too far behind is disconnected.
 */

/** Number of events kept for clients that reconnect or read slowly. */
const keptEvents = 512;
const keptBytes = 8 * 1024 * 1024;
const heartbeatMs = 15_000;
/** How long a browser waits before it reconnects. */
const retryMs = 2_000;

const encoder = new TextEncoder();
const heartbeat = encoder.encode(": still here\n\n");

type Client = { address: string; next: number; isDropped?: boolean; wake?: (() => void) | undefined };

export type EventLog = {
  publish(event: string, data: unknown): void;
  /**
   * Opens a stream. It continues after `lastEventId` if the log still has that event. Otherwise, it starts with `reset`
   * (unless the client is new) and `current`, so the client misses nothing between its first read and its subscription.
   */
  open(
    lastEventId: string | undefined,
    current: { event: string; data: unknown } | undefined,
    address?: string,
  ): ReadableStream<Uint8Array>;
  clientCount(): number;
  /** The clients' addresses, in the order they connected. */
  listAddresses(): string[];
  /** Ends the newest stream of this address; returns false if it has none. */
  dropNewest(address: string): boolean;
  /** Call when the chain's history is replaced. Every client gets `reset`. */
  restart(epoch: string): void;
  /** Ends every stream. */
  close(): void;
};

/**
 * `epoch` identifies the chain. A client whose last event ID is from another chain or an earlier process gets a `reset`
 * event.
 */
export function createEventLog(epoch: string): EventLog {
  // Numbering restarts with the process, so every ID includes the process's start time.
  const startedAt = Date.now().toString(36);
  let prefix = `${epoch}.${startedAt}.`;
  const clients = new Set<Client>();
  const kept: Uint8Array[] = [];
  let keptLength = 0;
  let first = 1;
  /** Events are not kept before the first client connects, because nobody can have missed them. */
  let hadClient = false;
  let closed = false;

  const last = () => first + kept.length - 1;
  const toMessage = (number: number, event: string, data: unknown) =>
    `id: ${prefix}${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

  const wakeAll = () => {
    for (const client of clients) client.wake?.();
  };
  const timer = setInterval(wakeAll, heartbeatMs).unref();

  const findPosition = (lastEventId: string): number | undefined => {
    if (!lastEventId.startsWith(prefix)) return undefined;
    const number = Number(lastEventId.slice(prefix.length));
    return Number.isSafeInteger(number) && number >= first - 1 && number <= last() ? number : undefined;
  };

  function publish(event: string, data: unknown): void {
    if (closed || !hadClient) return;
    const bytes = encoder.encode(toMessage(last() + 1, event, data));
    kept.push(bytes);
    keptLength += bytes.length;
    while (kept.length > 1 && (kept.length > keptEvents || keptLength > keptBytes)) {
      keptLength -= kept.shift()?.length ?? 0;
      first++;
    }
    wakeAll();
  }

  return {
    publish,
    restart(next) {
      prefix = `${next}.${startedAt}.`;
      publish("reset", {});
    },

    open(lastEventId, current, address = "") {
      hadClient = true;
      const position = lastEventId === undefined ? undefined : findPosition(lastEventId);
      const client: Client = { address, next: (position ?? last()) + 1 };
      const greeting = [`retry: ${retryMs}\n\n`];
      if (lastEventId !== undefined && position === undefined) greeting.push(toMessage(last(), "reset", {}));
      if (position === undefined && current) greeting.push(toMessage(last(), current.event, current.data));

      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            clients.add(client);
            controller.enqueue(encoder.encode(greeting.join("")));
          },
          async pull(controller) {
            if (client.next > last() && !closed) {
              await new Promise<void>((resolve) => {
                client.wake = resolve;
              });
              client.wake = undefined;
            }
            if (closed || client.isDropped) return controller.close();
            if (!clients.has(client)) return;
            if (client.next < first) {
              clients.delete(client);
              controller.error(new Error("The client is reading too slowly."));
              return;
            }
            const bytes = kept[client.next - first];
            if (bytes) client.next++;
            controller.enqueue(bytes ?? heartbeat);
          },
          cancel() {
            clients.delete(client);
            client.wake?.();
          },
        },
        { highWaterMark: 0 },
      );
    },

    clientCount: () => clients.size,
    listAddresses: () => [...clients].map(({ address }) => address),
    dropNewest: (address) => dropNewest(clients, address),

    close() {
      closed = true;
      clearInterval(timer);
      wakeAll();
      clients.clear();
    },
  };
}

function dropNewest(clients: Set<Client>, address: string): boolean {
  const newest = [...clients].findLast((client) => client.address === address);
  if (!newest) return false;
  newest.isDropped = true;
  clients.delete(newest);
  newest.wake?.();
  return true;
}

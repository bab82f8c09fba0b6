/**
 * Jobs that wait for a worker, by client. Clients take turns, so one that queues many jobs doesn't delay the others. A
 * full queue drops the newest job of the client with the most, so a single client may fill it only while nobody else
 * waits.
 */
type Item = { client: string };

export type FairQueue<T extends Item> = {
  readonly size: number;
  add(item: T): void;
  /** Puts items back in order: they come before their clients' other jobs, and their clients before the others. */
  putBack(items: readonly T[]): void;
  /** The next job of the client whose turn it is. */
  next(): T | undefined;
  /** Returns whether the item was in the queue. */
  remove(item: T): boolean;
  /** Removes the newest job of the client with the most jobs, if it has more than this client would with one more. */
  makeRoom(client: string): T | undefined;
  list(): T[];
};

export function createFairQueue<T extends Item>(): FairQueue<T> {
  /** In the order of the clients' turns; no list is empty. */
  const lists = new Map<string, T[]>();
  let size = 0;

  function getList(client: string): T[] {
    const list = lists.get(client) ?? [];
    lists.set(client, list);
    return list;
  }

  function moveToEnd(client: string): void {
    const list = getList(client);
    lists.delete(client);
    lists.set(client, list);
  }

  function removeAt(client: string, list: T[], at: number): T | undefined {
    const [item] = list.splice(at, 1);
    if (item) size--;
    if (list.length === 0) lists.delete(client);
    return item;
  }

  return {
    get size() {
      return size;
    },
    add(item) {
      getList(item.client).push(item);
      size++;
    },
    putBack(items) {
      const turns = new Set([...items.map(({ client }) => client), ...lists.keys()]);
      for (const item of items.toReversed()) getList(item.client).unshift(item);
      size += items.length;
      for (const client of turns) moveToEnd(client);
    },
    next() {
      const [client] = lists.keys();
      if (client === undefined) return undefined;
      moveToEnd(client);
      return removeAt(client, getList(client), 0);
    },
    remove(item) {
      const list = lists.get(item.client) ?? [];
      const at = list.indexOf(item);
      return at !== -1 && removeAt(item.client, list, at) !== undefined;
    },
    makeRoom(client) {
      const [largest, list] = [...lists].reduce((most, entry) => (entry[1].length > most[1].length ? entry : most));
      const own = lists.get(client)?.length ?? 0;
      return list.length > own + 1 ? removeAt(largest, list, list.length - 1) : undefined;
    },
    list: () => [...lists.values()].flat(),
  };
}

/**
 * Jobs that wait for a worker, by client. Clients take turns, so one that queues many jobs doesn't delay the others. A
 * full queue drops the newest job of the client with the most places, so one client can use the whole queue only while
 * no one else waits.
 */
type Item = {
  client: string;
  /** How many places in the queue the item takes. */
  places: number;
};

export type FairQueue<T extends Item> = {
  readonly size: number;
  add(item: T): void;
  /**
   * Puts items back in order: they come before their clients' other jobs, and their clients come before other clients.
   * The `served` client comes last, because it has had its turn.
   */
  putBack(items: readonly T[], served: string): void;
  /** The next job of the client whose turn it is. */
  next(): T | undefined;
  /** Returns whether the item was in the queue. */
  remove(item: T): boolean;
  /**
   * Removes the newest job of the client with the most places, if that client has more places than the item's client
   * would have with the item.
   */
  makeRoom(item: Item): T | undefined;
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
    putBack(items, served) {
      const turns = new Set([...items.map(({ client }) => client), ...lists.keys()]);
      if (turns.delete(served)) turns.add(served);
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
    makeRoom({ client, places }) {
      const sums = [...lists].map(([name, list]) => ({ name, list, sum: toPlaces(list) }));
      const largest = sums.reduce((most, entry) => (entry.sum > most.sum ? entry : most));
      const own = toPlaces(lists.get(client) ?? []);
      return largest.sum > own + places ? removeAt(largest.name, largest.list, largest.list.length - 1) : undefined;
    },
    list: () => [...lists.values()].flat(),
  };
}

export function toPlaces(items: readonly Item[]): number {
  return items.reduce((sum, { places }) => sum + places, 0);
}

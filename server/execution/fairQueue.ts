/**
 * A queue of jobs, grouped by client. Clients take turns, so a client with many jobs doesn't delay the others. If the
 * queue is full, the newest job of the client with the most places is dropped.
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
   * Puts items back in their old order, in front of their clients' other jobs. These clients get the next turns, except
   * for the client `served`, which has just had its turn.
   */
  putBack(items: readonly T[], served: string): void;
  /** Takes the next job from the client whose turn it is. */
  next(): T | undefined;
  /** Returns whether the item was in the queue. */
  remove(item: T): boolean;
  /**
   * To make room for the item, removes the newest job of the client with the most places. Removes nothing if the item's
   * client would then have at least as many places as that client.
   */
  makeRoom(item: Item): T | undefined;
  list(): T[];
};

export function createFairQueue<T extends Item>(): FairQueue<T> {
  /** Each client's jobs. The clients are in the order in which they get their turns. No list is empty. */
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

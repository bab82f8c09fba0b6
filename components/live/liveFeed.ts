/**
 * The page's only event stream. Events are collected and delivered at most four times a second, but not while the
 * stream is paused. The connection is closed while the page is hidden, and reopened when it is visible again.
 */
import { createListeners, type Listeners } from "@/lib/createListeners";
import type { Follows } from "@/lib/query/source";

export type HeadNews = {
  number: `0x${string}`;
  hash: `0x${string}`;
  parentHash?: `0x${string}`;
  timestamp: `0x${string}`;
  gasUsed: `0x${string}`;
  gasLimit: `0x${string}`;
  transactionCount: `0x${string}`;
};

/** What happened to the chain: it was replaced by another chain, or it was rewound. */
export type ChainReset = "replaced" | "rewound";

export type LiveState = {
  connection: "connecting" | "live" | "offline";
  paused: boolean;
  /** The number of blocks received since the last delivery. Zero unless the stream is paused. */
  waiting: number;
};

export type LiveFeed = {
  findState(): LiveState;
  subscribe(listener: () => void): () => void;
  setPaused(paused: boolean): void;
  open(): void;
  close(): void;
};

type Options = {
  url: string;
  /** Called if the chain was replaced or rewound. Earlier events don't apply to the new chain. */
  onReset: (what: ChainReset) => void;
  /** Called when the page becomes visible again. It received no events while it was hidden. */
  onReturn: () => void;
  /** `heads` are in chain order. `happened` lists the kinds of events since the last delivery. */
  onNews: (news: { heads: HeadNews[]; happened: Follows[] }) => void;
};

/** A feed's state: its status, and the events since the last delivery. */
type Feed = Options & {
  listeners: Listeners<void>;
  state: LiveState;
  source: EventSource | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  deliveredAtMs: number;
  heads: HeadNews[];
  happened: Set<Follows>;
  chainId: string | undefined;
};

const deliveryMs = 250;
const reconnectMs = 5000;
const maxHeads = 256;
const everything = ["head", "pool", "payment"] as const;

export function createLiveFeed(options: Options): LiveFeed {
  const feed: Feed = {
    ...options,
    listeners: createListeners(),
    state: { connection: "connecting", paused: false, waiting: 0 },
    source: undefined,
    timer: undefined,
    deliveredAtMs: 0,
    heads: [],
    happened: new Set(),
    chainId: undefined,
  };
  const onVisibility = () => followVisibility(feed);
  return {
    findState: () => feed.state,
    subscribe: feed.listeners.add,
    setPaused(paused) {
      update(feed, { paused });
      if (!paused) deliver(feed);
    },
    open() {
      document.addEventListener("visibilitychange", onVisibility);
      connect(feed);
    },
    close() {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(feed.timer);
      feed.timer = undefined;
      disconnect(feed);
    },
  };
}

function update(feed: Feed, change: Partial<LiveState>): void {
  feed.state = { ...feed.state, ...change };
  feed.listeners.announce();
}

function deliver(feed: Feed): void {
  feed.timer = undefined;
  if (feed.state.paused || feed.happened.size === 0) return;
  feed.deliveredAtMs = Date.now();
  const news = { heads: feed.heads, happened: [...feed.happened] };
  feed.heads = [];
  feed.happened.clear();
  update(feed, { waiting: 0 });
  feed.onNews(news);
}

function record(feed: Feed, ...names: readonly Follows[]): void {
  for (const name of names) feed.happened.add(name);
  if (feed.state.paused) update(feed, { waiting: feed.heads.length });
  feed.timer ??= setTimeout(() => deliver(feed), Math.max(feed.deliveredAtMs + deliveryMs - Date.now(), 0));
}

function recordChain(feed: Feed, eventId: string): void {
  // Event IDs start with the chain's ID, "<genesis>-<rewinds>". A restart changes neither part. If the data is deleted,
  // the first part changes. If a developer rewinds the chain, the second part changes.
  const next = eventId.split(".")[0];
  if (!next) return;
  const before = feed.chainId;
  feed.chainId = next;
  if (before === undefined || before === next) return;
  feed.heads = [];
  feed.onReset(before.split("-")[0] === next.split("-")[0] ? "rewound" : "replaced");
}

function connect(feed: Feed): void {
  if (feed.source !== undefined || document.hidden) return;
  const source = new EventSource(feed.url);
  feed.source = source;
  source.onopen = () => update(feed, { connection: "live" });
  source.onerror = () => {
    update(feed, { connection: "offline" });
    // After an HTTP error, the browser doesn't reconnect on its own.
    if (source.readyState !== EventSource.CLOSED) return;
    disconnect(feed);
    setTimeout(() => connect(feed), reconnectMs);
  };
  source.addEventListener("head", (event) => {
    recordChain(feed, event.lastEventId);
    feed.heads.push(JSON.parse(event.data) as HeadNews);
    if (feed.heads.length > maxHeads) feed.heads.shift();
    record(feed, "head");
  });
  source.addEventListener("pool", () => record(feed, "pool"));
  source.addEventListener("payment", () => record(feed, "payment"));
  source.addEventListener("reset", (event) => {
    recordChain(feed, event.lastEventId);
    record(feed, ...everything);
  });
}

function disconnect(feed: Feed): void {
  feed.source?.close();
  feed.source = undefined;
}

function followVisibility(feed: Feed): void {
  if (document.hidden) {
    disconnect(feed);
    return;
  }
  connect(feed);
  feed.onReturn();
  // The page missed the events that were sent while it was hidden, so everything on screen is refetched once.
  record(feed, ...everything);
}

/**
 * The page's one event stream. Events are collected and delivered at most once a second, and not while paused or
 * hidden. The connection is closed while the page is hidden and reopened when it is visible.
 */
import { createListeners } from "@/lib/createListeners";
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

/** The chain was replaced by another one, or rewound. */
export type ChainReset = "replaced" | "rewound";

export type LiveState = {
  connection: "connecting" | "live" | "offline";
  paused: boolean;
  /** Blocks received since the last delivery: above zero only while paused. */
  waiting: number;
};

export type LiveFeed = {
  findState(): LiveState;
  subscribe(listener: () => void): () => void;
  setPaused(paused: boolean): void;
  open(): void;
  close(): void;
};

const handOverMs = 1000;

export function createLiveFeed({
  url,
  onNews,
  onReset,
  onReturn,
}: {
  url: string;
  /** Earlier events no longer belong to the stream's chain. */
  onReset: (what: ChainReset) => void;
  /** The page is visible again after a time without events. */
  onReturn: () => void;
  /** heads are in chain order; happened names everything that changed. */
  onNews: (news: { heads: HeadNews[]; happened: Follows[] }) => void;
}): LiveFeed {
  let state: LiveState = { connection: "connecting", paused: false, waiting: 0 };
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastHandOverMs = 0;
  let heads: HeadNews[] = [];
  const happened = new Set<Follows>();
  let epoch: string | undefined;
  const listeners = createListeners();

  function update(change: Partial<LiveState>) {
    state = { ...state, ...change };
    listeners.announce();
  }

  function handOver() {
    timer = undefined;
    if (state.paused || happened.size === 0) return;
    lastHandOverMs = Date.now();
    const news = { heads, happened: [...happened] };
    heads = [];
    happened.clear();
    update({ waiting: 0 });
    onNews(news);
  }

  function take(name: Follows) {
    happened.add(name);
    if (state.paused) update({ waiting: heads.length });
    timer ??= setTimeout(handOver, Math.max(lastHandOverMs + handOverMs - Date.now(), 0));
  }

  function noteEpoch(id: string) {
    // Event IDs start with the chain's own ID, "genesis-times": unchanged after a restart, with another genesis after
    // the data was deleted, and with another number after a developer rewound the chain.
    const next = id.split(".")[0];
    if (!next) return;
    const before = epoch;
    epoch = next;
    if (before === undefined || before === next) return;
    heads = [];
    onReset(before.split("-")[0] === next.split("-")[0] ? "rewound" : "replaced");
  }

  function connect() {
    if (source !== undefined || document.hidden) return;
    source = new EventSource(url);
    source.onopen = () => update({ connection: "live" });
    source.onerror = () => {
      update({ connection: "offline" });
      // After an HTTP error the browser does not reconnect by itself.
      if (source?.readyState !== EventSource.CLOSED) return;
      disconnect();
      setTimeout(connect, 5000);
    };
    source.addEventListener("head", (event) => {
      noteEpoch(event.lastEventId);
      heads.push(JSON.parse(event.data) as HeadNews);
      if (heads.length > 256) heads.shift();
      take("head");
    });
    source.addEventListener("pool", () => take("pool"));
    source.addEventListener("payment", () => take("payment"));
    source.addEventListener("reset", (event) => {
      noteEpoch(event.lastEventId);
      for (const name of ["head", "pool", "payment"] as const) take(name);
    });
  }

  function disconnect() {
    source?.close();
    source = undefined;
  }

  function onVisibility() {
    if (document.hidden) return disconnect();
    connect();
    onReturn();
    // We missed events while the page was hidden: refetch everything on screen once.
    for (const name of ["head", "pool", "payment"] as const) take(name);
  }

  return {
    findState: () => state,
    subscribe: listeners.add,
    setPaused(paused) {
      update({ paused });
      if (!paused) handOver();
    },
    open() {
      document.addEventListener("visibilitychange", onVisibility);
      connect();
    },
    close() {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(timer);
      timer = undefined;
      disconnect();
    },
  };
}

"use client";
/**
 * Connects the event stream to the query cache. No other component invalidates queries in response to events. If the
 * chain was replaced or rewound, empties the cache.
 */
import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { useSource } from "@/components/layout/NetworkContext";
import { createChainMemory } from "@/components/live/chainMemory";
import {
  type ChainReset,
  createLiveFeed,
  type HeadNews,
  type LiveFeed,
  type LiveState,
} from "@/components/live/liveFeed";
import { refreshFollowing } from "@/lib/query/client";
import { headNumberQuery, rulerLength, rulerQuery } from "@/lib/query/queries";
import { toQuantity } from "@/lib/units";

type Live = {
  feed: LiveFeed;
  heads: HeadNews[];
  reset: { kind: ChainReset; count: number } | undefined;
  dismissReset: () => void;
};

const LiveContext = createContext<Live | undefined>(undefined);
const stateOnServer: LiveState = { connection: "connecting", paused: false, waiting: 0 };

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const source = useSource();
  const [heads, setHeads] = useState<HeadNews[]>([]);
  const [reset, setReset] = useState<Live["reset"]>(undefined);
  const [feed] = useState(() => {
    const memory = createChainMemory();
    const remember = () => {
      for (const { number, hash } of client.getQueryData(rulerQuery(source).queryKey)?.items ?? []) {
        memory.learn({ number: Number(number), hash });
      }
    };
    /** Discards all earlier data, including data that normally never changes. */
    const startOver = (kind: ChainReset) => {
      memory.forget();
      setHeads([]);
      setReset((before) => ({ kind, count: (before?.count ?? 0) + 1 }));
      void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] === source.network });
    };
    return createLiveFeed({
      url: `/api/stream/${source.network}`,
      onReset: startOver,
      async onReturn() {
        // This page received no heads while it was hidden, so the next heads may not connect to the blocks that the
        // page has seen. Ask the node whether the last known block still exists.
        const last = memory.findNewest();
        if (!last) return;
        const params: [string, boolean] = [toQuantity(last.number), false];
        const block = await source.request({ method: "eth_getBlockByNumber", params }).catch(() => undefined);
        if (block !== undefined && block?.hash !== last.hash && memory.findNewest()?.hash === last.hash) {
          startOver("rewound");
        }
      },
      onNews: (news) => {
        if (memory.findNewest() === undefined) remember();
        let wasRewound = false;
        for (const head of news.heads) {
          const block = { number: Number(head.number), hash: head.hash, parentHash: head.parentHash };
          if (memory.judge(block) === "rewound") {
            wasRewound = true;
            startOver("rewound");
          }
          memory.learn(block);
        }
        if (wasRewound) return;
        const known = Number(client.getQueryData(headNumberQuery(source).queryKey) ?? -1);
        const fresh = news.heads.filter((head) => Number(head.number) > known);
        const newest = fresh.at(-1);
        // The stream starts with the current head. If the page was rendered with this head, it needs no refetch.
        if (newest === undefined && news.happened.every((name) => name === "head")) return;
        if (newest) {
          client.setQueryData(headNumberQuery(source).queryKey, newest.number);
          setHeads((before) => [...before, ...fresh].slice(-rulerLength));
          // If there is a gap between the known head and the new ones, the missing blocks are neither in the rendered
          // page nor in the stream.
          if (Number(fresh[0]!.number) > known + 1) void client.invalidateQueries(rulerQuery(source));
        }
        void refreshFollowing(client, source.network, news.happened);
      },
    });
  });
  useEffect(() => {
    feed.open();
    return () => feed.close();
  }, [feed]);
  const dismissReset = useCallback(() => setReset(undefined), []);
  return <LiveContext value={{ feed, heads, reset, dismissReset }}>{children}</LiveContext>;
}

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("LiveProvider is missing.");
  return live;
}

/** The stream's state, and a function that pauses or resumes it. */
export function useLive(): LiveState & { setPaused: (paused: boolean) => void } {
  const { feed } = useLiveContext();
  const state = useSyncExternalStore(feed.subscribe, feed.findState, () => stateOnServer);
  return { ...state, setPaused: feed.setPaused };
}

/** The heads received since the page was opened, oldest first. */
export function useLiveHeads(): HeadNews[] {
  return useLiveContext().heads;
}

/** The latest reset of the chain, until the visitor dismisses it. */
export function useChainReset(): Pick<Live, "reset" | "dismissReset"> {
  const { reset, dismissReset } = useLiveContext();
  return { reset, dismissReset };
}

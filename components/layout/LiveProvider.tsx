"use client";
/**
 * Joins the stream to the query cache: one stream per page, one place where news makes data old.
 */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useSource } from "@/components/chain/NetworkContext";
import { createLiveFeed, type HeadNews, type LiveFeed, type LiveState } from "@/components/layout/liveFeed";
import { refreshFollowing } from "@/lib/query/client";
import { headNumberQuery, rulerLength, rulerQuery } from "@/lib/query/queries";

type Live = { feed: LiveFeed; heads: HeadNews[] };

const LiveContext = createContext<Live | undefined>(undefined);
const stateOnServer: LiveState = { connection: "connecting", paused: false, waiting: 0, wasReset: false };

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const source = useSource();
  const [heads, setHeads] = useState<HeadNews[]>([]);
  const [feed] = useState(() =>
    createLiveFeed({
      url: `/api/stream/${source.network}`,
      onNews: (news) => {
        const known = Number(client.getQueryData(headNumberQuery(source).queryKey) ?? -1);
        const fresh = news.heads.filter((head) => Number(head.number) > known);
        const newest = fresh.at(-1);
        // The stream begins with the present head: a page that was rendered with it has nothing to ask again.
        if (newest === undefined && news.happened.every((name) => name === "head")) return;
        if (newest) {
          client.setQueryData(headNumberQuery(source).queryKey, newest.number);
          setHeads((before) => [...before, ...fresh].slice(-rulerLength));
          // Blocks between the rendering and the stream's beginning were told by neither.
          if (Number(fresh[0]!.number) > known + 1) void client.invalidateQueries(rulerQuery(source));
        }
        void refreshFollowing(client, source.network, news.happened);
      },
    }),
  );
  useEffect(() => {
    feed.open();
    return () => feed.close();
  }, [feed]);
  return <LiveContext value={{ feed, heads }}>{children}</LiveContext>;
}

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("A live component was used outside LiveProvider.");
  return live;
}

/** State of the stream, and its switch. */
export function useLive(): LiveState & { setPaused: (paused: boolean) => void } {
  const { feed } = useLiveContext();
  const state = useSyncExternalStore(feed.subscribe, feed.findState, () => stateOnServer);
  return { ...state, setPaused: feed.setPaused };
}

/** Heads that came since the page was opened, oldest first. */
export function useLiveHeads(): HeadNews[] {
  return useLiveContext().heads;
}

/**
 * News makes data old: what is on screen at once, what is shown later then, and what a prefetched page brings along.
 */
import { dehydrate, hydrate, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { createQueryClient, refreshFollowing } from "./client";

const key = ["testnet", "explorer_getPayments", []];

/** Shows the query as a page does, until its data is at rest. */
async function show(client: ReturnType<typeof createQueryClient>, read: () => string) {
  const options = { queryKey: key, queryFn: async () => read(), staleTime: 0, meta: { follows: ["payment"] } };
  const observer = new QueryObserver(client, client.defaultQueryOptions(options));
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe("idle"), { timeout: 120_000 });
  const { data } = observer.getCurrentResult();
  stop();
  return data;
}

/** A page that the server read some milliseconds ago. */
function toPage(text: string, agoMs: number) {
  const server = createQueryClient();
  server.setQueryData(key, text, { updatedAt: Date.now() - agoMs });
  return dehydrate(server);
}

it("shows a prefetched page as it is while nothing happened since", async () => {
  const client = createQueryClient();
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("old");
});

it("reads again what a prefetched page read before the news", async () => {
  const client = createQueryClient();
  await refreshFollowing(client, "testnet", ["payment"]);
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("new");
});

it("leaves alone what follows something else, or another network", async () => {
  const client = createQueryClient();
  await refreshFollowing(client, "testnet", ["pool"]);
  await refreshFollowing(client, "mainnet", ["payment"]);
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("old");
});

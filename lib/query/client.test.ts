/**
 * Tests that events mark data as stale. Covers data on the screen, data that is shown again later, and data on
 * prefetched pages.
 */
import { dehydrate, hydrate, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { createQueryClient, refreshFollowing } from "./client";

const key = ["testnet", "explorer_getPayments", []];

/** Observes the query, as a page does, until it has been fetched. */
async function show(client: ReturnType<typeof createQueryClient>, read: () => string) {
  const options = { queryKey: key, queryFn: async () => read(), staleTime: 0, meta: { follows: ["payment"] } };
  const observer = new QueryObserver(client, client.defaultQueryOptions(options));
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe("idle"), { timeout: 120_000 });
  const { data } = observer.getCurrentResult();
  stop();
  return data;
}

/** Simulates a prefetched page whose data the server read `agoMs` ago. */
function toPage(text: string, agoMs: number) {
  const server = createQueryClient();
  server.setQueryData(key, text, { updatedAt: Date.now() - agoMs });
  return dehydrate(server);
}

it("doesn't refetch prefetched data if nothing has happened since then", async () => {
  const client = createQueryClient();
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("old");
});

it("refetches data that was prefetched before an event", async () => {
  const client = createQueryClient();
  await refreshFollowing(client, "testnet", ["payment"]);
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("new");
});

it("doesn't refetch data that depends on another event or another network", async () => {
  const client = createQueryClient();
  await refreshFollowing(client, "testnet", ["pool"]);
  await refreshFollowing(client, "mainnet", ["payment"]);
  hydrate(client, toPage("old", 1000));
  expect(await show(client, () => "new")).toBe("old");
});

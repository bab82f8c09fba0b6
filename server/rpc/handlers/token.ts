/** explorer_ methods for tokens: data from the read model plus balances from the token contracts. */
import { addressCursor, holderCursor, tokenCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Address } from "@/server/ethereum/types";
import { type Holding, readTokenBalances } from "@/server/explorer/tokenBalances";
import type { CallSource } from "@/server/ports/chain";
import { readPage } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

export const tokenHandlers = {
  ...handlers(["index"], {
    explorer_getToken: async ({ index }, token) => {
      const figures = await index.findTokenFigures(token);
      return figures ? { holders: toQuantity(figures.holders), transfers: toQuantity(figures.transfers) } : null;
    },

    explorer_getTokens: ({ index }, page) =>
      readPage(
        page,
        (more) => index.listTokens(more),
        ({ token, holders, transfers }) => ({
          token,
          holders: toQuantity(holders),
          transfers: toQuantity(transfers),
        }),
        tokenCursor.encode,
      ),
  }),

  ...handlers(["index", "calls"], {
    explorer_getHolders: async ({ index, calls, network }, token, page) => {
      const { items, next } = await readPage(
        page,
        (more) => index.listHolders(token, more),
        ({ address, units }) => ({ address, amount: toQuantity(units) }),
        holderCursor.encode,
      );
      return { items: await addBalances(calls, network, items, ({ address }) => ({ token, holder: address })), next };
    },

    explorer_getHoldings: async ({ index, calls, network }, holder, page) => {
      const { items, next } = await readPage(
        page,
        async (more) => addKnownTokens(calls, network, holder, more, await index.listHoldings(holder, more)),
        ({ token, units }) => ({ token, amount: toQuantity(units) }),
        ({ token }) => addressCursor.encode(token),
      );
      return { items: await addBalances(calls, network, items, ({ token }) => ({ token, holder })), next };
    },
  }),
};

type HeldUnits = { token: Address; units: bigint };

/**
 * Adds the network's tokens that the address holds although no Transfer event says so: a cheatcode such as
 * `anvil_dealERC20` writes to the token's storage. Keeps the order by token address, which the cursor needs.
 */
async function addKnownTokens(
  source: CallSource,
  { contracts, tokens }: NetworkConfig,
  holder: Address,
  { after, limit }: { after?: Address; limit: number },
  listed: readonly HeldUnits[],
): Promise<HeldUnits[]> {
  // Tokens behind a full page belong to a later one.
  const end = listed.length === limit ? listed.at(-1)?.token : undefined;
  const others = tokens
    .map(({ address }) => address.toLowerCase() as Address)
    .filter((token) => (after === undefined || token > after) && (end === undefined || token < end))
    .filter((token) => listed.every((row) => row.token !== token));
  const pairs = others.map((token) => ({ token, holder }));
  const balances = await readTokenBalances(source, contracts.multicall3, pairs);
  const held = others.filter((_, at) => (balances[at] ?? 0n) > 0n).map((token) => ({ token, units: 0n }));
  return [...listed, ...held].toSorted((a, b) => (a.token < b.token ? -1 : 1)).slice(0, limit);
}

async function addBalances<Item>(
  source: CallSource,
  { contracts }: NetworkConfig,
  items: readonly Item[],
  toPair: (item: Item) => Holding,
) {
  const balances = await readTokenBalances(source, contracts.multicall3, items.map(toPair));
  return items.map((item, at) => {
    const units = balances[at];
    return { ...item, balance: units === undefined ? null : toQuantity(units) };
  });
}

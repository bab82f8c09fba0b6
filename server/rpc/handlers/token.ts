/** explorer_ methods for tokens: the read model plus the metadata that the token contracts return. */
import { addressCursor, holderCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import { readTokenBalances } from "@/server/explorer/tokenBalances";
import { toPage } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

export const tokenHandlers = {
  ...handlers(["index"], {
    explorer_getToken: async ({ index }, token) => {
      const figures = await index.findTokenFigures(token);
      return figures ? { holders: toQuantity(figures.holders), transfers: toQuantity(figures.transfers) } : null;
    },
  }),

  ...handlers(["index", "calls"], {
    explorer_getHolders: async ({ index, calls, network }, token, { limit, ...page }) => {
      const rows = await index.listHolders(token, { ...page, limit: limit + 1 });
      const pairs = rows.slice(0, limit).map(({ address }) => ({ token, holder: address }));
      const balances = await readTokenBalances(calls, network.contracts.multicall3, pairs);
      const { items, next } = toPage(
        rows,
        limit,
        ({ address, units }) => ({ address, amount: toQuantity(units) }),
        (row) => holderCursor.encode(row),
      );
      return { items: items.map((item, at) => ({ ...item, balance: toBalance(balances[at]) })), next };
    },

    explorer_getHoldings: async ({ index, calls, network }, holder, { limit, ...page }) => {
      const rows = await index.listHoldings(holder, { ...page, limit: limit + 1 });
      const pairs = rows.slice(0, limit).map(({ token }) => ({ token, holder }));
      const balances = await readTokenBalances(calls, network.contracts.multicall3, pairs);
      const { items, next } = toPage(
        rows,
        limit,
        ({ token, units }) => ({ token, amount: toQuantity(units) }),
        ({ token }) => addressCursor.encode(token),
      );
      return { items: items.map((item, at) => ({ ...item, balance: toBalance(balances[at]) })), next };
    },
  }),
};

const toBalance = (units: bigint | undefined) => (units === undefined ? null : toQuantity(units));

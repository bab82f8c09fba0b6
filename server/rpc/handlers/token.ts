/** explorer_ methods for tokens: the read model plus the metadata that the token contracts return. */
import { addressCursor, holderCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import { readTokenBalances } from "@/server/explorer/tokenBalances";
import type { Handler } from "@/server/rpc/context";
import { toPage } from "@/server/rpc/encodeExplorer";

export const explorer_getToken: Handler<"explorer_getToken"> = async ({ chain }, token) => {
  const figures = await chain.store.findTokenFigures(token);
  return figures ? { holders: toQuantity(figures.holders), transfers: toQuantity(figures.transfers) } : null;
};

export const explorer_getHolders: Handler<"explorer_getHolders"> = async (
  { chain, network },
  token,
  { limit, ...page },
) => {
  const rows = await chain.store.listHolders(token, { ...page, limit: limit + 1 });
  const pairs = rows.slice(0, limit).map(({ address }) => ({ token, holder: address }));
  const balances = await readTokenBalances(chain, network.contracts.multicall3, pairs);
  const { items, next } = toPage(
    rows,
    limit,
    ({ address, units }) => ({ address, amount: toQuantity(units) }),
    (row) => holderCursor.encode(row),
  );
  return { items: items.map((item, at) => ({ ...item, balance: toBalance(balances[at]) })), next };
};

export const explorer_getHoldings: Handler<"explorer_getHoldings"> = async (
  { chain, network },
  holder,
  { limit, ...page },
) => {
  const rows = await chain.store.listHoldings(holder, { ...page, limit: limit + 1 });
  const pairs = rows.slice(0, limit).map(({ token }) => ({ token, holder }));
  const balances = await readTokenBalances(chain, network.contracts.multicall3, pairs);
  const { items, next } = toPage(
    rows,
    limit,
    ({ token, units }) => ({ token, amount: toQuantity(units) }),
    ({ token }) => addressCursor.encode(token),
  );
  return { items: items.map((item, at) => ({ ...item, balance: toBalance(balances[at]) })), next };
};

const toBalance = (units: bigint | undefined) => (units === undefined ? null : toQuantity(units));

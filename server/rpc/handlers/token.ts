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
      // A cheatcode such as `anvil_dealERC20` writes a token's storage without a Transfer event.
      const listWithKnown = async (more: TokenPage) => {
        const rows = addKnownTokens(network, more, await index.listHoldings(holder, more));
        const items = rows.map(({ token, units }) => ({ token, amount: toQuantity(units) }));
        const held = await addBalances(calls, network, items, ({ token }) => ({ token, holder }));
        return held
          .filter(({ amount, balance }) => amount !== "0x0" || (balance ?? "0x0") !== "0x0")
          .slice(0, more.limit);
      };
      return readPage(
        page,
        listWithKnown,
        (row) => row,
        ({ token }) => addressCursor.encode(token),
      );
    },
  }),
};

type TokenPage = { after?: Address; limit: number };
type HeldUnits = { token: Address; units: bigint };

/** Adds those of the network's tokens that no event says the address holds. Keeps the order, which the cursor needs. */
function addKnownTokens(
  { tokens }: NetworkConfig,
  { after, limit }: TokenPage,
  listed: readonly HeldUnits[],
): HeldUnits[] {
  // Tokens behind a full page belong to a later one.
  const end = listed.length === limit ? listed.at(-1)?.token : undefined;
  const others = tokens
    .map(({ address }) => address.toLowerCase() as Address)
    .filter((token) => (after === undefined || token > after) && (end === undefined || token < end))
    .filter((token) => listed.every((row) => row.token !== token));
  return [...listed, ...others.map((token) => ({ token, units: 0n }))].toSorted((a, b) => (a.token < b.token ? -1 : 1));
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

/**
 * explorer_ methods about tokens, read from the read model.
 */
import { holderCursor } from "@/lib/rpc/cursor";
import type { Handler } from "@/server/rpc/context";
import { toQuantity } from "@/server/rpc/encode";
import { toPage } from "@/server/rpc/handlers/explorer";

export const explorer_getToken: Handler<"explorer_getToken"> = async ({ chain }, token) => {
  const figures = await chain.store.findTokenFigures(token);
  return figures ? { holders: toQuantity(figures.holders), transfers: toQuantity(figures.transfers) } : null;
};

export const explorer_getHolders: Handler<"explorer_getHolders"> = async ({ chain }, token, { limit, ...page }) =>
  toPage(
    await chain.store.listHolders(token, { ...page, limit: limit + 1 }),
    limit,
    ({ address, units }) => ({ address, amount: toQuantity(units) }),
    (row) => holderCursor.encode(row),
  );

import { search, toChainSearch } from "@/server/explorer/search";
import type { Handler } from "@/server/rpc/context";

export const explorer_search: Handler<"explorer_search"> = ({ chain, network }, text) =>
  search(toChainSearch(chain), network.tokens, text);

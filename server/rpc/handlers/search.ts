import { search } from "@/server/explorer/search";
import { handler } from "@/server/rpc/ports";

export const explorer_search = handler("explorer_search", ["lookups"], ({ lookups, network }, text) =>
  search(lookups, network.tokens, text),
);

import { getDecoder } from "@/server/explorer/decoder";
import type { Handler } from "@/server/rpc/context";

export const explorer_decode: Handler<"explorer_decode"> = (_context, items) => {
  const { decode } = getDecoder();
  return items.map((item) => decode(item));
};

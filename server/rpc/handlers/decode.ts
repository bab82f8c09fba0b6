import { getDecoder } from "@/server/explorer/decoder";
import { handler } from "@/server/rpc/ports";

export const explorer_decode = handler("explorer_decode", [], (_context, items) => {
  const { decode } = getDecoder();
  return items.map((item) => decode(item));
});

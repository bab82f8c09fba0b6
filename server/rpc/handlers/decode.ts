/**
 * explorer_decode. The tables are built once, from the interfaces' declarations, when somebody first asks.
 */
import { createDecoder, type Decoder } from "@/lib/decode/decoder";
import { interfaces } from "@/lib/decode/interfaces";
import type { Handler } from "@/server/rpc/context";

let decoder: Decoder | undefined;

export const explorer_decode: Handler<"explorer_decode"> = (_context, items) => {
  decoder ??= createDecoder(interfaces);
  const { decode } = decoder;
  return items.map((item) => decode(item));
};

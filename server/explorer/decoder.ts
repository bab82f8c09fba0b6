/** The decoder for every contract interface that the node knows. Its tables are built once, on first use. */
import { createDecoder, type Decoder } from "@/lib/decode/decoder";
import { interfaces } from "@/lib/decode/interfaces";

let decoder: Decoder | undefined;

export function getDecoder(): Decoder {
  decoder ??= createDecoder(interfaces);
  return decoder;
}

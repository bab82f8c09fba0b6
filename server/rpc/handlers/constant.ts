/** Methods whose results depend only on the network's configuration and the params. Remote networks serve them too. */

import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { handlers } from "@/server/rpc/ports";

export const constantHandlers = handlers([], {
  eth_chainId: ({ network }) => toQuantity(network.chainId),
  net_version: ({ network }) => String(network.chainId),
  net_listening: () => true,
  net_peerCount: () => "0x0",
  web3_sha3: (_context, bytes) => keccakHex(toBytes(bytes)),
});

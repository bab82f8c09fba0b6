/**
 * Methods whose results depend only on the network's configuration and the params, so remote networks have them too.
 */

import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { handler } from "@/server/rpc/ports";

export const eth_chainId = handler("eth_chainId", [], ({ network }) => toQuantity(network.chainId));
export const eth_accounts = handler("eth_accounts", [], () => []);
export const net_version = handler("net_version", [], ({ network }) => String(network.chainId));
export const net_listening = handler("net_listening", [], () => true);
export const web3_sha3 = handler("web3_sha3", [], (_context, bytes) => keccakHex(toBytes(bytes)));

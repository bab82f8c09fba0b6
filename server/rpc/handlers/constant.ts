/**
 * Methods whose results depend only on the network's configuration and the params, so remote networks have them too.
 */

import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Handler } from "@/server/rpc/context";

export const eth_chainId: Handler<"eth_chainId"> = ({ network }) => toQuantity(network.chainId);
export const eth_accounts: Handler<"eth_accounts"> = () => [];
export const net_version: Handler<"net_version"> = ({ network }) => String(network.chainId);
export const net_listening: Handler<"net_listening"> = () => true;
export const web3_sha3: Handler<"web3_sha3"> = (_context, bytes) => keccakHex(toBytes(bytes));

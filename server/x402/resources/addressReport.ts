/**
 * Sells a report of an account's balances and properties, all read at one block, for two cents. It is paid for in a
 * token without EIP-3009, so that payments in such tokens can be tried out.
 */
import type { Hex } from "@/lib/x402/types";
import { ask } from "@/server/x402/resources/ask";
import { getAddress } from "@/server/x402/resources/readQuery";
import { defineResource } from "@/server/x402/resources/resource";

export const addressReport = defineResource({
  name: "address-report",
  title: "Address report",
  description: "Balance, nonce, code and token balances of an account, all at the latest block.",
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "exact", amount: "$0.02", token: "plain" },
  input: {
    type: "object",
    properties: {
      address: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$", description: "Permit2 by default" },
    },
  },
  toInput: (request, { network }) => getAddress(request, "address", network.contracts.permit2),
  async serve(address, context) {
    const { network } = context;
    const block = await ask<Hex>(context, "eth_blockNumber", []);
    const [balance, nonce, code, ...tokens] = await Promise.all([
      ask<Hex>(context, "eth_getBalance", [address, block]),
      ask<Hex>(context, "eth_getTransactionCount", [address, block]),
      ask<Hex>(context, "eth_getCode", [address, block]),
      ...network.tokens.map(async (token) => {
        // balanceOf(address)
        const call = { to: token.address, data: `0x70a08231${address.slice(2).padStart(64, "0")}` };
        const answer = await ask<Hex>(context, "eth_call", [call, block]);
        return { token: token.address, symbol: token.symbol, units: answer === "0x" ? "0" : BigInt(answer).toString() };
      }),
    ]);
    return {
      body: {
        network: network.name,
        address,
        block: Number(block),
        balanceWei: BigInt(balance).toString(),
        nonce: Number(nonce),
        codeBytes: (code.length - 2) / 2,
        tokens,
      },
    };
  },
});

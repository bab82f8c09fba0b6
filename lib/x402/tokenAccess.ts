/**
 * Accesses a payer's token on its network. It reads what signing needs, and sends the approval that a first payment
 * through Permit2 may need. It only uses EIP-1193, so it works with wallets and with keys.
 */
import { toLowerAddress } from "@/lib/address";
import { pause } from "@/lib/pause";
import type { TokenAccess } from "@/lib/x402/payer";
import { toCalldata } from "@/lib/x402/tokenCalls";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

type Eip1193 = (args: { method: string; params?: readonly unknown[] }) => Promise<unknown>;

export type TokenAccessOptions = {
  owner: Hex;
  /** Returns the request function for a network's node. `network` is a CAIP-2 ID. */
  getRequest: (network: string) => Eip1193;
  /** Sends a transaction from the owner and returns its hash, like a wallet's eth_sendTransaction. */
  sendTransaction: (network: string, transaction: { from: Hex; to: Hex; data: Hex }) => Promise<Hex>;
  /** How long to wait for the approval's receipt, and the pause between two polls. */
  waitMs?: number;
  pollMs?: number;
};

/** Thrown if the token or its network returns an invalid answer. The message can be shown to users. */
class TokenAccessError extends Error {
  override name = "TokenAccessError";
  readonly code = "TOKEN_ACCESS_FAILED";
}

/**
 * Creates the token access for one payer. Its methods throw TokenAccessError, or any error from the requests or
 * `sendTransaction`.
 */
export function createTokenAccess(options: TokenAccessOptions): TokenAccess {
  const { owner, getRequest, sendTransaction, waitMs = 60_000, pollMs = 250 } = options;

  async function read({ network, asset }: PaymentRequirements, data: Hex): Promise<bigint> {
    const answer = await getRequest(network)({ method: "eth_call", params: [{ to: asset, data }, "latest"] });
    if (typeof answer === "string" && /^0x[0-9a-fA-F]{64}$/.test(answer)) return BigInt(answer);
    throw new TokenAccessError(`The token ${asset} on ${network} did not return a 32-byte number. Check its address.`);
  }

  return {
    getBalance: (requirement) => read(requirement, toCalldata("balanceOf", owner)),
    reads: {
      getAllowance: (requirement, spender) => read(requirement, toCalldata("allowance", owner, spender)),
      getPermitNonce: (requirement) => read(requirement, toCalldata("nonces", owner)),
      async findApprovalTerms({ network }) {
        const ask = async (method: string, params: readonly unknown[]) => getRequest(network)({ method, params });
        const block = (await ask("eth_getBlockByNumber", ["latest", false])) as { baseFeePerGas?: Hex } | null;
        if (!block?.baseFeePerGas) return undefined;
        const [count, tip] = await Promise.all([
          ask("eth_getTransactionCount", [owner, "pending"]),
          ask("eth_maxPriorityFeePerGas", []),
        ]);
        const maxPriorityFeePerGas = BigInt(tip as Hex);
        // Each full block raises the base fee by an eighth (EIP-1559), so twice the current fee is enough for five full
        // blocks.
        const maxFeePerGas = BigInt(block.baseFeePerGas) * 2n + maxPriorityFeePerGas;
        return { nonce: Number(count), maxFeePerGas, maxPriorityFeePerGas };
      },
    },
    async approve({ network, asset, amount }, spender) {
      const data = toCalldata("approve", spender, BigInt(amount));
      const hash = await sendTransaction(network, { from: owner, to: toLowerAddress(asset), data });
      const deadlineMs = Date.now() + waitMs;
      for (;;) {
        const receipt = await getRequest(network)({ method: "eth_getTransactionReceipt", params: [hash] });
        const status = (receipt as { status?: unknown } | null)?.status;
        if (status === "0x1") return hash;
        if (status !== undefined) throw new TokenAccessError(`The approval transaction ${hash} reverted.`);
        if (Date.now() >= deadlineMs) {
          throw new TokenAccessError(`The approval transaction ${hash} is not mined yet. Try again once it is.`);
        }
        await pause(pollMs);
      }
    },
  };
}

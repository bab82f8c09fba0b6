/**
 * A chain with one token of each kind, with the same accounts as in a genesis: the payer has a million units of each
 * token, and the relayer may mint. Invariant: `token` has USDC's address on the public test network.
 */
import { type Hex, toHex } from "viem";
import { tokenAbi } from "@/lib/abi/token";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { startAnvilChain, testAccounts, type Write } from "@/server/contracts/testing/anvilChain";
import type { Authorization, Domain } from "@/server/contracts/testing/authorization";

export const token: Hex = "0x534b2f3A21130d7a60830c2Df862319e593943A3";
export const plainToken: Hex = "0x00000000000000000000000000000000000c0ffe";
export const [payer, payee, relayer, stranger] = testAccounts;
export const domain: Domain = { name: "USDC", version: "2", chainId: 10143, verifyingContract: token };

export const tokenGenesis = {
  name: "USDC",
  symbol: "USDC",
  decimals: 6,
  version: "2",
  eip3009: true,
  owner: relayer.address,
  balances: [{ address: payer.address, units: 1_000_000n }],
};

export type TokenChain = Awaited<ReturnType<typeof startTokenChain>>;

export async function startTokenChain() {
  const chain = await startAnvilChain();
  await chain.place(token, toTokenAccount(tokenGenesis));
  const plain = { ...tokenGenesis, name: "Plain", symbol: "PLN", decimals: 18, eip3009: false };
  await chain.place(plainToken, toTokenAccount(plain));
  return {
    ...chain,
    balanceOf: (account: Hex) =>
      chain.client.readContract({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [account] }),
    /** An authorization to move 100 units from payer to payee. It has a fresh nonce and is valid now. */
    async toAuthorization(changes: Partial<Authorization> = {}): Promise<Authorization> {
      const now = await chain.now();
      return {
        from: payer.address,
        to: payee.address,
        value: 100n,
        validAfter: now - 100n,
        validBefore: now + 1000n,
        nonce: toNonce(),
        ...changes,
      };
    },
  };
}

let nonces = 0;
/** A 32-byte value that hasn't been used before. */
export function toNonce(): Hex {
  nonces += 1;
  return toHex(nonces, { size: 32 });
}

/** A call to `token`, which supports transfers by signature. */
export function tokenCall(functionName: string, args: readonly unknown[], account = relayer): Write {
  return { address: token, abi: tokenAbi, functionName, args, account };
}

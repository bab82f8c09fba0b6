/** Tests that transactions signed in WebAssembly have the same bytes as those signed by viem. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { createSigningAccount } from "@/server/x402/facilitator/signingAccount";

const call = { chainId: 10143, to: `0x${"5e".repeat(20)}`, data: "0x1234", gas: 90_000n, value: 0n } as const;

describe("createSigningAccount", () => {
  it("signs transactions to the same bytes as viem", async () => {
    for (let nonce = 0; nonce < 8; nonce++) {
      const key = generatePrivateKey();
      const [ours, theirs] = [createSigningAccount(key), privateKeyToAccount(key)];
      expect(ours.address).toBe(theirs.address);
      const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
      for (const transaction of [
        { ...call, nonce, type: "eip1559", ...fees },
        { ...call, nonce, type: "legacy", gasPrice: 7n },
        { ...call, nonce, type: "eip2930", gasPrice: 7n, accessList: [{ address: call.to, storageKeys: [] }] },
      ] as const) {
        expect(await ours.signTransaction(transaction)).toBe(await theirs.signTransaction(transaction));
      }
    }
  });
});

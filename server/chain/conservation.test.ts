/** Tests that value is conserved: after any transactions, all balances and burned fees add up to the genesis supply. */
import fc from "fast-check";
import type { TransactionSerializable } from "viem";
import { expect, it } from "vitest";
import { opcodes } from "@/lib/opcodes";
import { addresses, openTestChain, removeFolder } from "@/server/chain/testing/testChain";
import type { Address, Hash } from "@/server/ethereum/types";

const coinbase: Address = `0x${"c0".repeat(20)}`;
/** These recipients are not pre-funded, so transfers create their accounts. */
const strangers = [1, 2, 3].map((n): Address => `0x${n.toString().repeat(40)}`);
const recipients = [...addresses, ...strangers, coinbase, null];

const wish = fc.record({
  account: fc.nat(9),
  recipient: fc.nat(recipients.length - 1),
  value: fc.bigInt({ min: 0n, max: 10n ** 22n }),
  // When this data runs as init code, it usually fails or does nothing. The sender pays for the gas either way. With the
  // opcode ADDRESS, it could self-destruct in favor of itself, which burns its value (EIP-6780).
  data: fc.uint8Array({ maxLength: 64 }).filter((bytes) => !bytes.includes(opcodes.ADDRESS)),
  tip: fc.bigInt({ min: 0n, max: 10n ** 10n }),
});

it("random transactions neither create nor destroy value, except for burned fees", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 40 }), async (wishes) => {
      const test = await openTestChain({ coinbase });
      const { chain, sign } = test;
      try {
        // All accounts, because random code can send value anywhere, for example with SELFDESTRUCT.
        const sum = async (block: number) => {
          const accounts = await chain.store.listAccounts(block, { limit: 1_000 });
          return accounts.reduce((total, { account }) => total + account.balance, 0n);
        };
        const nonces = new Map<number, number>();
        const hashes: Hash[] = [];
        for (const { account, recipient, value, data, tip } of wishes) {
          const nonce = nonces.get(account) ?? 0;
          const transaction = { nonce, to: recipients[recipient], value, gas: 200_000n, maxPriorityFeePerGas: tip };
          const hex = `0x${Buffer.from(data).toString("hex")}`;
          const raw = await sign(account, { ...transaction, data: hex } as {
            nonce: number;
          } & Partial<TransactionSerializable>);
          const hash = await chain.submit(raw).catch((error: Error) => {
            expect(error.message).toMatch(/^insufficient funds/);
            return undefined;
          });
          if (!hash) continue;
          nonces.set(account, nonce + 1);
          hashes.push(hash);
        }
        let burned = 0n;
        for (const hash of hashes) {
          const mined = await chain.waitForTransaction(hash, 120_000);
          const status = chain.pool.findStatus(hash);
          // If the sender can no longer cover the transaction's value, the transaction is dropped and no value moves.
          if (!mined) {
            expect(status).toMatchObject({ status: "dropped" });
            continue;
          }
          burned += mined.receipt.gasUsed * (mined.baseFeePerGas ?? 0n);
        }
        expect((await sum(chain.head().number)) + burned).toBe(await sum(0));
        expect(test.errors).toEqual([]);
      } finally {
        await test.close();
        removeFolder(test.folder);
      }
    }),
    {
      numRuns: 6,
      // Init code that self-destructs in favor of the account whose address is the block's timestamp.
      examples: [
        [[{ account: 0, recipient: recipients.length - 1, value: 1n, data: Uint8Array.of(0x42, 0xff), tip: 0n }]],
      ],
    },
  );
});

/**
 * For tests: a chain that runs in its own process and mines transfers until killed. Prints one line for each receipt
 * that it returns, so that the test knows which receipts must survive.
 */
import { addresses, openTestChain } from "@/server/chain/testing/testChain";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("The folder is missing.");
const { chain, sign } = await openTestChain({ folder });

async function sendWithoutEnd(account: number): Promise<never> {
  for (let nonce = 0; ; nonce++) {
    const hash = await chain.submit(await sign(account, { nonce, to: addresses[9]!, value: 1n }));
    const mined = await chain.waitForTransaction(hash, 120_000);
    if (!mined) throw new Error(`${hash} was not mined.`);
    process.stdout.write(`${JSON.stringify({ hash, blockNumber: mined.blockNumber, index: mined.index })}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(sendWithoutEnd));

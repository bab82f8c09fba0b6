import { type Ask, askForBlock, askForOwnCall, toTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionOverview } from "@/components/transaction/TransactionOverview";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery, paymentQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import { transactionByNonceQuery } from "@/lib/query/transaction";
import "@/components/playground/diagram.css";

export const generateMetadata = toTabMetadata();

export default toTab(TransactionOverview, (ask, source, hash) =>
  Promise.all([
    askForBlock(ask, source, hash),
    ask(paymentQuery(source, hash)),
    askForOwnCall(ask, source, hash),
    askForDeployment(ask, source, hash),
    askForNeighbors(ask, source, hash),
  ]),
);

async function askForNeighbors(ask: Ask, source: Source, hash: string): Promise<void> {
  const transaction = await ask(transactionQuery(source, hash));
  if (!transaction) return;
  const nonce = Number(transaction.nonce);
  const around = [nonce - 1, nonce + 1].filter((other) => other >= 0);
  await Promise.all(around.map((other) => ask(transactionByNonceQuery(source, transaction.from, other))));
}

async function askForDeployment(ask: Ask, source: Source, hash: string): Promise<void> {
  const receipt = await ask(receiptQuery(source, hash));
  if (!receipt?.contractAddress) return;
  const { contractAddress } = receipt;
  await Promise.all([ask(codeQuery(source, contractAddress)), ask(selectorsQuery(source, contractAddress))]);
}

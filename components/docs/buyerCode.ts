/** A program that pays for a resource of this node with the published client. It runs unchanged on local chains. */
import { type PageNetwork, toCaip2 } from "@/lib/networks";

/** The first account of the public test mnemonic, as in the README's buyer. */
const testKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

export function toBuyerCode(network: PageNetwork, origin: string): string {
  const [token] = network.tokens;
  const caip2 = toCaip2(network.chainId);
  const payer = network.embedded
    ? `// A published private key:
// use it only with test money.
const payer = privateKeyToAccount("${testKey}");`
    : `// The private key of a funded account.
const payer = privateKeyToAccount(process.env.PRIVATE_KEY);`;
  const limits = token
    ? `
// By default, clients pay only in
// well-known tokens. This allows
// up to 1 ${token.symbol} per payment.
client.setSpendControls({
  allowedAssets: [
    {
      network: "${caip2}",
      asset: "${token.address}",
      maxAmountPerPayment: "${10n ** BigInt(token.decimals)}",
    },
  ],
});
`
    : "";
  return `// buyer.mjs
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

${payer}
const client = new x402Client();
client.register("${caip2}", new ExactEvmScheme(payer));
${limits}
const fetchPaid = wrapFetchWithPayment(fetch, client);
const response = await fetchPaid(
  "${origin}/api/paid/block-digest?network=${network.name}",
);
console.log(response.status);
console.log(await response.json());`;
}

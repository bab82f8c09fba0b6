/** Programs that sell a resource through this node's facilitator. They run unchanged. */
import { type PageNetwork, toCaip2 } from "@/lib/networks";

export const sellerTools = ["express", "tollscan", "curl"] as const;
export type SellerTool = (typeof sellerTools)[number];

/** The same account that gets paid by the README's seller. It is a public test account, so only local chains use it. */
const testPayee = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** Installs what the seller for Express imports. */
export const expressInstall = "npm install express @x402/express @x402/core @x402/evm";
export const expressRun = "node seller.mjs";

export function toSellerCode(tool: SellerTool, facilitatorUrl: string, network: PageNetwork): string {
  switch (tool) {
    case "curl":
      return `curl ${facilitatorUrl}/supported`;
    case "tollscan":
      return `// npm install express ./tollscan.tgz && node seller.mjs
// tollscan isn't on npm yet: "npm run pack" in a clone makes the tarball.
import express from "express";
import { createPaywall } from "tollscan/server";

const facilitatorUrl = "${facilitatorUrl}";
const { requirePayment } = createPaywall({ facilitatorUrl });
${toPayToLines(network)}
const price = { network: "${network.name}", price: "$0.01", payTo };

const app = express();
const paid = requirePayment({ accepts: { scheme: "exact", ...price } });
app.get("/report", paid, (_request, response) => {
  response.json({ report: "sunny" });
});
app.listen(4021, () => console.log("http://localhost:4021/report"));`;
    case "express":
      return `// ${expressInstall}\n// ${expressRun}\n${toExpressCode(facilitatorUrl, network)}`;
  }
}

/** Declares the account that gets paid. */
function toPayToLines(network: PageNetwork): string {
  return network.embedded
    ? `// Account 3, a test account\nconst payTo = "${testPayee}";`
    : "// Your address\nconst payTo = process.env.PAY_TO;";
}

/** The seller for Express, without the commands that install and start it. */
export function toExpressCode(facilitatorUrl: string, network: PageNetwork): string {
  return `import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import express from "express";

const url = "${facilitatorUrl}";
const network = "${toCaip2(network.chainId)}";
const server = new x402ResourceServer(new HTTPFacilitatorClient({ url }));
server.register(network, new ExactEvmScheme());
${toPayToLines(network)}
${toPriceLine(network)}

const app = express();
const accepts = { scheme: "exact", network, payTo, price };
app.use(paymentMiddleware({ "GET /report": { accepts } }, server));
app.get("/report", (_request, response) => {
  response.json({ report: "sunny" });
});
app.listen(4021, () => console.log("http://localhost:4021/report"));`;
}

/** The published packages know the dollar token of some networks only, so the price names the token. */
function toPriceLine({ tokens: [token] }: PageNetwork): string {
  if (!token?.eip3009 || !token.eip712) return 'const price = "$0.01";';
  const amount = 10n ** BigInt(token.decimals) / 100n;
  return `const asset = "${token.address}";
const extra = { name: ${JSON.stringify(token.eip712.name)}, version: ${JSON.stringify(token.eip712.version)} };
const price = { asset, amount: "${amount}", extra }; // 0.01 ${token.symbol}`;
}

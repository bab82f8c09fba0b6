/**
 * Runs the published reference implementation as a server process: its facilitator over HTTP, and a resource behind its
 * Express middleware. The benchmark configures it through environment variables. It prints its port.
 */
import type { AddressInfo } from "node:net";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactFacilitator } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import express from "express";
import { createWalletClient, type Hex, http, nonceManager, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const { RPC_URL = "", FACILITATOR_KEY, ASSET, PAY_TO, NONCE_MANAGER } = process.env;
const network = "eip155:10143";

const account = privateKeyToAccount(FACILITATOR_KEY as Hex, NONCE_MANAGER ? { nonceManager } : {});
const chain = {
  id: 10143,
  name: "Bench",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [RPC_URL] } },
};
// The shortest sensible interval. viem's default is four seconds.
const client = createWalletClient({ account, chain, transport: http(RPC_URL), pollingInterval: 10 }).extend(
  publicActions,
);
const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
const facilitator = new x402Facilitator().register(network, new ExactFacilitator(signer));

const app = express();
app.use(express.json());
app.post("/settle", async ({ body }, response) => {
  try {
    response.json(await facilitator.settle(body.paymentPayload, body.paymentRequirements));
  } catch (error) {
    response.status(500).json({ success: false, errorReason: String(error).slice(0, 200) });
  }
});
const server = new x402ResourceServer({
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported() as never,
}).register(network, new ExactServer());
const price = { asset: ASSET as Hex, amount: "10000", extra: { name: "USDC", version: "2" } };
app.use(
  paymentMiddleware(
    { "GET /paid": { accepts: { scheme: "exact", network, payTo: PAY_TO as Hex, price }, description: "Bench" } },
    server,
  ),
);
app.get("/paid", (_request, response) => {
  response.json({ ok: true });
});
const listening = app.listen(0, "127.0.0.1", () => {
  process.stdout.write(`port ${(listening.address() as AddressInfo).port}\n`);
});
// By default, Node closes connections after five idle seconds, and a request sent at that moment would fail.
listening.keepAliveTimeout = 65_000;

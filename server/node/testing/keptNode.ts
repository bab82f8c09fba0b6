/**
 * A node on one local network with public keys, for testing data from earlier versions. writeKeptData.ts uses it to
 * write this version's data, and keptData.test.ts uses it to open every version's data.
 */
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { isPayable } from "@/lib/networks";
import type { PaymentSigner } from "@/lib/x402/payer";
import { signPayment } from "@/lib/x402/signPayment";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { createNode } from "@/server/node/node";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";

export const keptFolder = join(import.meta.dirname, "keptData");
export const payee = getDevAccount(5).address;
const payer = privateKeyToAccount(getDevAccount(1).privateKey) as unknown as PaymentSigner;

export type KeptNode = Awaited<ReturnType<typeof openKeptNode>>;

export async function openKeptNode(data: string) {
  const env = {
    TOLLSCAN_NETWORKS: "local",
    TOLLSCAN_DATA: data,
    TOLLSCAN_DETERMINISTIC: "on",
    TOLLSCAN_LIMIT_CALL_WORKERS: "1",
  };
  const node = await createNode(loadConfig(env, data));
  const { network, request } = node.findNetwork("local")!;
  if (!isPayable(network)) throw new Error("The network has no token.");
  const ask = (method: string, ...params: unknown[]) => request({ method, params }) as Promise<unknown>;
  return {
    ask,
    close: node.close,
    /** Sends a transfer to the payee. */
    async send(value: bigint): Promise<void> {
      const from = getDevAccount(2).address;
      await ask("eth_sendTransaction", { from, to: payee, value: `0x${value.toString(16)}` });
    },
    /** Pays the payee and returns the facilitator's response. */
    async pay(): Promise<unknown> {
      const paymentRequirements = toExactRequirement({ network, price: "$0.01", payTo: payee });
      const paymentPayload = await signPayment({ signer: payer, requirement: paymentRequirements, nowMs: Date.now() });
      const path = "/api/facilitator/settle";
      const sent = new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
      });
      return (await answerWebRequest(node.findHandler(path)!, sent, node.config.limits.bodyBytes)).json();
    },
  };
}

/**
 * A client for several instances. If an instance does not respond, the client sends the same bytes to another instance,
 * and repeats this until an instance reports the outcome.
 */

import { randomUUID } from "node:crypto";
import { type Hex, keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { pause } from "@/lib/pause";
import { idempotencyKeyHeader } from "@/lib/x402/header";
import { signPayment } from "@/lib/x402/signPayment";
import type { SettleResponse } from "@/lib/x402/types";
import { errorCodes } from "@/server/rpc/errors";
import { toExactRequirement } from "@/server/tools/bench/exactTerms";
import { post } from "@/server/tools/bench/jsonRpc";
import { networkName, unsettledReasons } from "@/server/tools/soak/soakNetwork";

export const gasPriceWei = 10n ** 12n;

/** If a transaction or payment has been retried for this long, the run counts as stuck. */
const patienceMs = 240_000;
const retryMs = 150;
type PickOrigin = () => string | undefined;

/** Sends a transaction until an instance acknowledges it. Throws if an instance refuses it. */
export async function sendOnce(pickOrigin: PickOrigin, raw: Hex): Promise<Hex> {
  const body = { jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [raw] };
  type Answer = { result?: Hex; error?: { code?: number; message?: string } };
  const answer = await persist(`transaction ${keccak256(raw)}`, async () => {
    const origin = pickOrigin();
    if (!origin) return undefined;
    const said = (await post(`${origin}/api/rpc/${networkName}`, body)) as Answer;
    // An internal error, or an error without a code, means that the node or the connection failed. It says nothing
    // about the transaction.
    const isAnswer =
      said.result !== undefined || (said.error?.code !== undefined && said.error.code !== errorCodes.internal);
    return isAnswer ? said : undefined;
  });
  if (answer.result) return answer.result;
  // An earlier attempt was accepted, but its response was lost.
  if (/already known|nonce too low/i.test(answer.error?.message ?? "")) return keccak256(raw);
  throw new Error(`A transaction was rejected: ${JSON.stringify(answer.error)}.`);
}

/** Keeps resending a payment until an instance reports that it has settled. Throws if an instance refuses it. */
export async function payOnce(pickOrigin: PickOrigin, payer: PrivateKeyAccount, payTo: Hex, units: bigint) {
  const requirement = toExactRequirement(units, payTo, 86_400);
  const signer = { address: payer.address, signTypedData: (data: never) => payer.signTypedData(data) };
  const paymentPayload = await signPayment({ signer: signer as never, requirement, nowMs: Date.now() });
  const body = { x402Version: 2, paymentPayload, paymentRequirements: requirement };
  const headers = { [idempotencyKeyHeader]: randomUUID() };
  const answer = await persist("payment", async () => {
    const origin = pickOrigin();
    if (!origin) return undefined;
    const said = (await post(`${origin}/api/facilitator/settle`, body, headers)) as SettleResponse;
    const isAnswer = said.success || (said.errorReason !== undefined && !unsettledReasons.has(said.errorReason));
    return isAnswer ? said : undefined;
  });
  if (!answer.success) throw new Error(`A payment was rejected: ${JSON.stringify(answer)}.`);
  return { payment: String(answer.extra?.paymentId), transaction: answer.transaction as Hex };
}

/**
 * Retries until there is a response, and throws if that takes too long. A broken connection doesn't count as a
 * response.
 */
async function persist<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const untilMs = Date.now() + patienceMs; ; await pause(retryMs)) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (Date.now() > untilMs)
      throw new Error(`No instance reported the outcome of ${what} within ${patienceMs / 1000} s.`);
  }
}

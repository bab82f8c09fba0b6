/** Runs a failure lab case, and then its optional next step: approving Permit2, or resending the payment. */

import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Network } from "@/lib/networks";
import { toRpcPath } from "@/lib/networks";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { createRpcRequest } from "@/lib/rpc/client";
import { encodeHeader } from "@/lib/x402/header";
import { findPermit2Contracts } from "@/lib/x402/permit2Contracts";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequired, SettleResponse, VerifyResponse } from "@/lib/x402/types";
import { type ExchangeTools, type PaidCall, type Payer, type PaymentOutcome, payAgain, payOnce } from "../exchange";
import type { RunTools } from "../useExchange";
import { type LabCase, type LabSetting, toLabCall } from "./labCases";

/** The result of running a case, which the case's next step continues from. */
export type LabRun = { payer: Payer; call: PaidCall; outcome: PaymentOutcome };

/** An amount in whole tokens that is well above any price in the lab. */
const enoughTokens = 1n;

export async function runLabCase(tools: RunTools, labCase: LabCase, setting: LabSetting): Promise<LabRun> {
  const call = toLabCall(labCase, tools.network.name);
  const payer = await getPayer(tools, labCase);
  const sign = labCase.sign?.(setting);
  const options = { careless: true, ...(sign && { sign }) };
  if (labCase.plan === "overcharge") {
    return { payer, call, outcome: await overcharge(tools, payer, call) };
  }
  const outcome = await payOnce(tools, payer, call, options);
  if (labCase.plan !== "replay" || !outcome.payload) return { payer, call, outcome };
  const header = encodeHeader(outcome.payload);
  return {
    payer,
    call,
    outcome: await payAgain(tools, call, { payload: outcome.payload, header, payer: payer.address }),
  };
}

/** Runs a case's next step: sends the payment again, after approving Permit2 if the approval was missing. */
export async function continueLabCase(tools: RunTools, labCase: LabCase, run: LabRun): Promise<LabRun> {
  const { payer, call, outcome } = run;
  if (!outcome.payload) return run;
  if (labCase.plan === "approve") await approve(tools, payer, outcome.payload);
  const payment = { payload: outcome.payload, header: encodeHeader(outcome.payload), payer: payer.address };
  return { payer, call, outcome: await payAgain(tools, call, payment) };
}

async function getPayer(tools: RunTools, { payer: kind }: LabCase): Promise<Payer> {
  if (kind === "visitor") {
    const payer = await tools.getPayer();
    const [token] = tools.network.tokens;
    if (!token || !payer.isBurner) return payer;
    const enough = enoughTokens * 10n ** BigInt(token.decimals);
    if ((await tools.getBalance(token.address, payer.address)) < enough) await tools.fund(payer.address);
    return payer;
  }
  const stranger = createStranger(tools.network);
  if (kind === "fundedStranger") await tools.fund(stranger.address);
  return stranger;
}

/** Creates a new account whose key isn't stored. */
function createStranger(network: Network): Payer {
  const account = privateKeyToAccount(generatePrivateKey());
  const request = createRpcRequest(toRpcPath(network));
  return {
    address: account.address,
    isBurner: false,
    signTypedData: (data: TypedData) => account.signTypedData(data as never),
    async sendTransaction({ to, data }) {
      const call = { from: account.address, to, data };
      const { tx } = (await request({ method: "eth_fillTransaction", params: [call] as never })) as {
        tx: { nonce: Hex; gas: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex };
      };
      const raw = await account.signTransaction({
        type: "eip1559",
        chainId: network.chainId,
        to,
        data,
        nonce: Number(tx.nonce),
        gas: BigInt(tx.gas),
        maxFeePerGas: BigInt(tx.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
      });
      return request({ method: "eth_sendRawTransaction", params: [raw] as never });
    },
  };
}

async function approve(tools: ExchangeTools, payer: Payer, { accepted }: PaymentPayload): Promise<void> {
  const contracts = findPermit2Contracts(accepted);
  if (!contracts) return;
  const { approve: send } = createTokenAccess({
    owner: payer.address,
    getRequest: () => (args) => tools.source.request(args as never),
    sendTransaction: (_, { to, data }) => payer.sendTransaction({ to, data }),
    pollMs: 100,
  });
  const transaction = await send(accepted, contracts.permit2);
  tools.record({ kind: "approval", atMs: Date.now(), spender: contracts.permit2, transaction });
}

/** Acts as a resource server: verifies the permitted maximum, then tries to settle one unit more. */
async function overcharge(tools: ExchangeTools, payer: Payer, call: PaidCall): Promise<PaymentOutcome> {
  const made: FlowStep[] = [];
  const watched: ExchangeTools = {
    ...tools,
    record(step) {
      made.push(step);
      tools.record(step);
    },
  };
  // The signed payment goes directly to the facilitator, so the resource never receives it.
  let asked = 0;
  const once: typeof fetch = (input, init) => {
    asked += 1;
    if (asked > 1) throw new SignedOnly();
    return fetch(input, init);
  };
  await payOnce(watched, payer, call, { careless: true, fetch: once }).catch((error) => {
    if (!(error instanceof SignedOnly)) throw error;
  });
  const payload = findStep(made, "signature")?.payload;
  if (!payload) throw new Error("The wallet returned no signature.");
  const { accepted } = payload;
  const above = { ...accepted, amount: (BigInt(accepted.amount) + 1n).toString() };
  const verdict = await askFacilitator<VerifyResponse>(watched, "verify", payload, accepted);
  const settlement = await askFacilitator<SettleResponse>(watched, "settle", payload, above);
  const offer: PaymentRequired | undefined = findStep(made, "paymentRequired")?.paymentRequired;
  return {
    response: Response.json(settlement),
    steps: [],
    payload,
    payer: payer.address,
    refusal: settlement.errorReason ?? verdict.invalidReason ?? offer?.error ?? "unexpected_error",
  };
}

class SignedOnly extends Error {
  override name = "SignedOnly";
}

async function askFacilitator<Answer extends VerifyResponse | SettleResponse>(
  tools: ExchangeTools,
  path: "verify" | "settle",
  paymentPayload: PaymentPayload,
  paymentRequirements: PaymentPayload["accepted"],
): Promise<Answer> {
  const body = { x402Version: 2, paymentPayload, paymentRequirements };
  tools.record({ kind: "facilitatorRequest", atMs: Date.now(), path, body });
  const response = await fetch(`/api/facilitator/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  const failed = "success" in answer ? !answer.success : !answer.isValid;
  tools.record({ kind: "facilitatorAnswer", atMs: Date.now(), path, status: response.status, body: answer, failed });
  return answer;
}

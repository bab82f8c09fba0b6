/**
 * For each step in a flow, finds a command or a few lines of code that do the same thing by hand. Redacted values stay
 * redacted.
 */

import { toJson } from "@/lib/json";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import type { SentRequest } from "@/lib/x402/payFetch";
import type { PaymentPayload } from "@/lib/x402/types";

export type CodeContext = {
  /** The node's origin, such as "http://localhost:3000". */
  origin: string;
  /** The network's name. */
  network: string;
  steps: readonly FlowStep[];
};

/** Quotes text as a single argument for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function toAbsolute(url: string, origin: string): string {
  return URL.canParse(url) ? url : new URL(url, origin).href;
}

/** A curl command for a request. `flags` decide whether progress and response headers are shown. */
export function toCurl({ method, url, headers, body }: SentRequest, origin: string, flags = "-i"): string {
  const lines = [`curl ${flags} ${quote(toAbsolute(url, origin))}`];
  if (method !== "GET") lines.push(`  -X ${method}`);
  for (const [name, value] of Object.entries(headers)) {
    const shown = name === paymentSignatureHeader.toLowerCase() ? paymentSignatureHeader : name;
    lines.push(`  -H ${quote(`${shown}: ${value}`)}`);
  }
  if (body !== undefined) lines.push(`  -d ${quote(body)}`);
  return lines.join(" \\\n");
}

function toRpcCurl({ origin, network }: CodeContext, method: string, params: readonly unknown[]): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  return toCurl({ method: "POST", url: `/api/rpc/${network}`, headers, body }, origin, "-s");
}

function toFacilitatorCurl({ origin }: CodeContext, path: string, body: unknown): string {
  const headers = { "content-type": "application/json" };
  return toCurl({ method: "POST", url: `/api/facilitator/${path}`, headers, body: JSON.stringify(body) }, origin, "-s");
}

/** A command that sends the given request and decodes a header in the response. */
function toDecodeCommand(sent: SentRequest | undefined, header: string, origin: string): string | undefined {
  if (!sent) return undefined;
  const name = header.toLowerCase();
  return `${toCurl(sent, origin, "-si")} |\n  grep -i '^${name}:' | cut -d' ' -f2 | tr -d '\\r' | base64 -d`;
}

function toQuestion(payload: PaymentPayload) {
  return { x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted };
}

/** Undefined if the step can't be done by hand. */
export function findStepCode(step: FlowStep, context: CodeContext): string | undefined {
  const { steps, origin } = context;
  const request = findStep(steps, "request");
  const payload = findStep(steps, "signature")?.payload;
  switch (step.kind) {
    case "request":
    case "paidRequest":
      return toCurl(step, origin);
    case "response":
    case "paidResponse":
    case "content": {
      const sent = step.kind === "response" ? request : (findStep(steps, "paidRequest") ?? request);
      return sent && toCurl(sent, origin, step.kind === "content" ? "-s" : "-si");
    }
    case "paymentRequired":
      return toDecodeCommand(request, paymentRequiredHeader, origin);
    case "settlement":
      return toDecodeCommand(findStep(steps, "paidRequest"), paymentResponseHeader, origin);
    case "refusal":
      return toDecodeCommand(findStep(steps, "paidRequest"), paymentRequiredHeader, origin);
    case "choice": {
      const at = step.considered.findIndex(({ verdict }) => verdict === "chosen");
      return `const { accepts } = JSON.parse(atob(header)); // ${paymentRequiredHeader}\nconst accepted = accepts[${at}];`;
    }
    case "funded":
      return toRpcCurl(context, "eth_getTransactionReceipt", [step.transaction]);
    case "approval":
      return toRpcCurl(context, "eth_getTransactionReceipt", [step.transaction]);
    case "preflight": {
      const requirement = findStep(steps, "choice")?.requirement;
      if (!requirement) return undefined;
      const separator = [{ to: requirement.asset, data: "0x3644e515" }, "latest"];
      return `${toRpcCurl(context, "eth_chainId", [])}\n${toRpcCurl(context, "eth_call", separator)}`;
    }
    case "typedData":
      return [
        'import { hashTypedData } from "viem";',
        "",
        `const data = ${toJson(step.data)};`,
        "console.log(hashTypedData(data));",
      ].join("\n");
    case "signature": {
      const data = findStep(steps, "typedData")?.data;
      if (!data) return undefined;
      return [
        'import { recoverTypedDataAddress } from "viem";',
        "",
        `const data = ${toJson(data)};`,
        `const signature = ${JSON.stringify(step.payload.payload.signature ?? "")};`,
        "console.log(await recoverTypedDataAddress({ ...data, signature }));",
      ].join("\n");
    }
    case "verify":
      return payload?.accepted && toFacilitatorCurl(context, "verify", toQuestion(payload));
    case "settle":
      return step.raw === undefined
        ? toRpcCurl(context, "debug_getRawTransaction", [step.transaction])
        : toRpcCurl(context, "eth_sendRawTransaction", [step.raw]);
    case "facilitatorRequest":
      return toFacilitatorCurl(context, step.path, step.body);
    case "ledger":
      return `curl -s ${quote(`${origin}/api/facilitator/settlements/${step.payment.id}`)}`;
    case "mined":
      return toRpcCurl(context, "eth_getTransactionReceipt", [step.receipt.transactionHash]);
    case "final":
      return toRpcCurl(context, "eth_getBlockByNumber", ["finalized", false]);
    case "balances": {
      const [first] = step.changes;
      if (!first) return undefined;
      const data = `0x70a08231${first.address.slice(2).toLowerCase().padStart(64, "0")}`;
      return toRpcCurl(context, "eth_call", [{ to: step.asset, data }, "latest"]);
    }
    default:
      return undefined;
  }
}

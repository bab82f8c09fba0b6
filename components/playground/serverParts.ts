/** Builds the details of the steps that the resource server and the facilitator take. */
import { paymentRequiredHeader, paymentResponseHeader } from "@/lib/x402/header";
import {
  type FlowPart,
  type PartsByKind,
  toHeaderLines,
  toHeaderParts,
  toJsonParts,
  toMs,
  toRawParts,
  toSummary,
} from "./flowPart";

type ServerKind =
  | "response"
  | "paidResponse"
  | "paymentRequired"
  | "refusal"
  | "verify"
  | "facilitatorRequest"
  | "facilitatorAnswer"
  | "settle"
  | "settlement";

export const serverParts: PartsByKind<ServerKind> = {
  response: toResponseParts,
  paidResponse: toResponseParts,
  paymentRequired: ({ header, paymentRequired }, { formatAmount }) => [
    toSummary(
      ["Resource", paymentRequired.resource.url],
      ["error", paymentRequired.error],
      ["Payment options", String(paymentRequired.accepts.length)],
      ...paymentRequired.accepts.map(
        (way) => ["Price", `${formatAmount(way)} · ${way.scheme} · ${way.network}`] as const,
      ),
    ),
    ...toHeaderParts(paymentRequiredHeader, header, paymentRequired),
  ],
  refusal: ({ header, paymentRequired }) => [
    toSummary(["error", paymentRequired.error]),
    ...toHeaderParts(paymentRequiredHeader, header, paymentRequired),
  ],
  verify: ({ checks, refusedBy, tookMs }) => [
    checks.length > 0
      ? { tab: "summary", label: "Every rule, rechecked in this browser", checks }
      : toSummary(["Answer", refusedBy === undefined ? "Valid" : `Invalid: ${refusedBy}`], ["Took", toMs(tookMs)]),
  ],
  facilitatorRequest: ({ body }) => toJsonParts("Body", body),
  facilitatorAnswer: ({ status, body }) => [toSummary(["Status", String(status)]), ...toJsonParts("Body", body)],
  settle: ({ transaction, to, tookMs, readings, raw }) => [
    toSummary(["Transaction", { transaction }], ["Calls", to && { address: to }], ["Took", toMs(tookMs)]),
    ...(readings.length > 0 ? [{ tab: "decoded", label: "Call", readings, token: to } as const] : []),
    ...toRawParts("Signed transaction", raw),
  ],
  settlement: ({ header, settlement }) => [
    toSummary(
      ["Success", String(settlement.success)],
      ["Transaction", settlement.transaction === "" ? undefined : { transaction: settlement.transaction }],
      ["error", settlement.errorReason],
      ["message", settlement.errorMessage],
    ),
    ...toHeaderParts(paymentResponseHeader, header, settlement),
  ],
};

function toResponseParts({ status, headers }: { status: number; headers: Record<string, string> }): FlowPart[] {
  return [
    toSummary(
      ["Status", String(status)],
      ["Type", headers["content-type"]],
      ["Cache-Control", headers["cache-control"]],
    ),
    { tab: "headers", label: "Headers", text: toHeaderLines(headers) },
  ];
}

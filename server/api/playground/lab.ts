/**
 * The failure lab's resources. One facilitator only returns errors; another settles but loses its first responses. Only
 * the fault is simulated: the real facilitator settles each payment once, on this node's chains.
 */
import type { PayableNetwork } from "@/lib/networks";
import { labPaths } from "@/lib/payflow/labPaths";
import { idempotencyKeyHeader } from "@/lib/x402/header";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpHandler } from "@/server/http/types";
import type { Caller } from "@/server/x402/facilitator/collectSettlement";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
import type { PaidResource } from "@/server/x402/resource-server/paidResource";
import { createPaywall, type Paywall } from "@/server/x402/resource-server/paywall";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";

type Ask = (
  path: string,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  caller: Caller,
) => Promise<Response>;

const price = "$0.01";
/** How long a resource waits for its facilitator before it treats the response as lost. */
const lostMs = 1_000;
/** How many settle responses are lost per payment. */
const lostAnswers = 2;
const maxKnown = 1_000;

/** The lab's routes. Empty unless the node runs a network whose first token supports EIP-3009. */
export function createLabRoutes(options: {
  facilitator: Facilitator;
  networks: readonly PayableNetwork[];
  payTo: Hex;
  onError?: (error: unknown) => void;
}): Record<string, HttpHandler> {
  const { facilitator, payTo, onError = () => undefined } = options;
  const networks = options.networks.filter(({ embedded, tokens }) => embedded && tokens[0].eip3009);
  if (networks.length === 0) return {};

  const toHandler = (title: string, description: string, ask: Ask): HttpHandler => {
    const paywall: Paywall = createPaywall({
      facilitator: createHttpFacilitatorClient({
        url: "http://facilitator.lab",
        timeoutMs: lostMs,
        fetch: toFetch(ask),
      }),
      onError,
    });
    return paywall.withPayment(toResource(title, description, networks, payTo), async () =>
      toJsonResponse(200, { served: true }, { "cache-control": "private" }),
    );
  };

  const settled = new Map<string, number>();
  return {
    [labPaths.facilitatorError]: toHandler(
      "Broken facilitator",
      "A resource whose facilitator only returns errors.",
      async () => Response.json({ error: "out of order" }, { status: 500 }),
    ),
    [labPaths.lostAnswer]: toHandler(
      "Lost response",
      "A resource whose facilitator settles but loses its first responses.",
      async (path, payload, requirements, caller) => {
        if (path === "verify") return Response.json(await facilitator.verify(payload, requirements));
        const outcome = await facilitator.settle(payload, requirements, caller);
        const id = facilitator.findPaymentId(payload, requirements) ?? "";
        const asked = (settled.get(id) ?? 0) + 1;
        if (settled.size >= maxKnown) settled.clear();
        settled.set(id, asked);
        if (outcome.success && asked <= lostAnswers) return lose();
        return Response.json(outcome);
      },
    ),
  };
}

function toResource(title: string, description: string, networks: readonly PayableNetwork[], payTo: Hex): PaidResource {
  return {
    methods: ["GET"],
    title,
    description,
    mimeType: "application/json",
    serviceName: "Tollscan",
    accepts({ query }) {
      const wanted = query.get("network");
      const network = wanted === null ? networks[0] : networks.find(({ name }) => name === wanted);
      if (network) return { accepts: [toExactRequirement({ network, price, payTo })] };
      return { response: toJsonResponse(404, { error: "The failure lab is not available on this network." }) };
    },
  };
}

/**
 * The facilitator's HTTP interface as an in-process `fetch`. If the request is aborted, the promise rejects, even if a
 * response arrives later.
 */
function toFetch(ask: Ask): typeof fetch {
  return async (input, init) => {
    const path = String(input).split("/").at(-1) ?? "";
    const { paymentPayload, paymentRequirements } = JSON.parse(String(init?.body ?? "{}")) as {
      paymentPayload: PaymentPayload;
      paymentRequirements: PaymentRequirements;
    };
    const idempotencyKey = new Headers(init?.headers).get(idempotencyKeyHeader) ?? undefined;
    const answer = ask(path, paymentPayload, paymentRequirements, { idempotencyKey });
    return Promise.race([answer, untilAborted(init?.signal)]);
  };
}

/** A response that never arrives. */
function lose(): Promise<Response> {
  return new Promise(() => undefined);
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal?.reason);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

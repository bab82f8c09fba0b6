/**
 * Completes a resource's requirements for one request. `upto` requirements include the account that settles, because
 * the payer signs for that account.
 */
import type { Extensions, PaymentRequirements } from "@/lib/x402/types";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import {
  type FacilitatorClient,
  FacilitatorClientError,
  findUptoAddress,
} from "@/server/x402/resource-server/facilitatorClient";

/**
 * The ways to pay, in the seller's order of preference, with their x402 extensions; or the response to send if the
 * request can't be paid for.
 */
export type ResourceRequirements =
  | { accepts: PaymentRequirements[]; extensions?: Extensions }
  | { response: HttpResponse };

/** Fixed ways to pay, or a function that returns them for a request. */
export type Accepts =
  | readonly PaymentRequirements[]
  | ((request: HttpRequest) => ResourceRequirements | Promise<ResourceRequirements>);

export type RequirementsContext = {
  facilitator: FacilitatorClient;
  /** The account that settles `upto` payments on each network, cached once it has been looked up. */
  uptoAddresses: Map<string, string>;
  onError: (error: unknown) => void;
};

/**
 * Completes the requirements for a request. If the facilitator doesn't report its account, the result is a 503
 * response.
 */
export async function resolveRequirements(
  context: RequirementsContext,
  accepts: Accepts,
  request: HttpRequest,
): Promise<ResourceRequirements> {
  const requirements = typeof accepts === "function" ? await accepts(request) : { accepts };
  if ("response" in requirements) return requirements;
  try {
    const complete = requirements.accepts.map((requirement) => withUptoAddress(context, requirement));
    return { ...requirements, accepts: await Promise.all(complete) };
  } catch (error) {
    if (!(error instanceof FacilitatorClientError)) throw error;
    context.onError(error);
    const body = { error: "The facilitator is not responding, so payments are unavailable. Try again later." };
    return { response: toJsonResponse(503, body, { "retry-after": "5" }) };
  }
}

async function withUptoAddress(
  { facilitator, uptoAddresses }: RequirementsContext,
  requirement: PaymentRequirements,
): Promise<PaymentRequirements> {
  const { scheme, network, extra } = requirement;
  if (scheme !== "upto" || extra?.facilitatorAddress !== undefined) return requirement;
  const facilitatorAddress = uptoAddresses.get(network) ?? findUptoAddress(await facilitator.getSupported(), network);
  if (facilitatorAddress === undefined) {
    throw new FacilitatorClientError(
      "upto_unsupported",
      `The facilitator does not support the upto scheme on ${network}.`,
    );
  }
  uptoAddresses.set(network, facilitatorAddress);
  return { ...requirement, extra: { ...extra, facilitatorAddress } };
}

/**
 * Requires a payment for any Next route handler in this app: `export const GET = withPayment({ price: "$0.02" },
 * handler)`.
 */
import { createWithPayment } from "@/server/api/paidRoute";
import { getNode } from "@/server/node/instance";

/**
 * Also export the result as `OPTIONS` if pages on other origins may pay. Throws if an option is unknown or invalid. If
 * the network is unknown, the first request reports it.
 */
export const withPayment = createWithPayment(() => getNode());

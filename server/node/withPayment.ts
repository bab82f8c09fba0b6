/**
 * Puts a price on any Next route handler of this app: `export const GET = withPayment({ price: "$0.02" }, handler)`.
 */
import { createWithPayment } from "@/server/api/paidRoute";
import { getNode } from "@/server/node/instance";

/**
 * Also export the result as `OPTIONS` if pages on other origins may pay. Throws if an option is unknown or invalid. An
 * unknown network is reported by the first request.
 */
export const withPayment = createWithPayment(() => getNode());

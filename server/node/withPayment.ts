/**
 * Puts a price on any Next route handler of this app: `export const GET = withPayment({ price: "$0.02" }, handler)`.
 */
import { createWithPayment } from "@/server/api/paidRoute";
import { getNode } from "@/server/node/instance";

/**
 * Also export the result as OPTIONS if pages on other origins may pay. The first request reports invalid options, such
 * as a malformed price or an unknown network.
 */
export const withPayment = createWithPayment(() => getNode());

/**
 * Facilitator metrics: results by reason, latency, batch sizes, payments by state, and the gas balance of its accounts.
 */
import type { Metrics } from "@/server/api/metrics";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import type { FacilitatorNetwork } from "@/server/x402/facilitator/networkFacilitator";
import type { FacilitatorObserver } from "@/server/x402/facilitator/outcome";

type MeteredNetwork = Pick<FacilitatorNetwork, "caip2" | "request" | "store"> & { isOpen(): boolean };

const latencySeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const batchSizes = [1, 2, 5, 10, 20, 50];
/** An upper bound for the number of combinations of payment state and failure reason. */
const maxStates = 200;

/** Creates the observer that records metrics. Pass it to the facilitator. */
export function createFacilitatorObserver(
  metrics: Metrics,
  networks: readonly { caip2: string }[],
): FacilitatorObserver {
  const known = new Set(networks.map(({ caip2 }) => caip2));
  // The payer chooses the network in the payload, so only a known name may become a label.
  const toNetwork = (network: string) => (known.has(network) ? network : "unknown");
  const answers = metrics.counter("tollscan_facilitator_answers_total", "Facilitator responses by kind and reason.");
  const latency = metrics.histogram(
    "tollscan_facilitator_answer_seconds",
    "Facilitator response time in seconds.",
    latencySeconds,
  );
  const batches = metrics.histogram(
    "tollscan_settlement_batch_size",
    "Payments per settlement transaction.",
    batchSizes,
  );
  return {
    onAnswer(kind, network, answer, durationMs) {
      const labels = { kind, network: toNetwork(network) };
      answers.add({ ...labels, answer });
      latency.observe(labels, durationMs / 1000);
    },
    onBatch: (network, size) => batches.observe({ network }, size),
  };
}

/** Adds the gauges that are read on each scrape, for the networks that are open. */
export function addFacilitatorGauges(
  metrics: Metrics,
  facilitator: Pick<Facilitator, "getSupported">,
  networks: readonly MeteredNetwork[],
): void {
  metrics.gauge("tollscan_payments", "Payments in the ledger, by state and reason.", async () => {
    const totals = networks
      .filter(({ isOpen }) => isOpen())
      .map(async ({ caip2, store }) => {
        const states = await store.listPaymentTotals({ grouping: "state", limit: maxStates });
        return states.map(({ subject, payments }) => {
          const [state = "", reason = ""] = subject.split(" ");
          return { labels: { network: caip2, state, reason }, value: payments };
        });
      });
    return (await Promise.all(totals)).flat();
  });
  metrics.gauge("tollscan_relayer_balance_wei", "Native balance of each relayer account, in wei.", async () => {
    const { signers } = facilitator.getSupported();
    const open = networks.filter(({ isOpen }) => isOpen());
    const balances = open.flatMap(({ caip2, request }) =>
      (signers[caip2] ?? []).map(async (account) => {
        const balance = await request({ method: "eth_getBalance", params: [account, "latest"] });
        return { labels: { network: caip2, account }, value: Number(BigInt(balance as string)) };
      }),
    );
    // A network that does not respond must not hide other networks' balances.
    const read = await Promise.allSettled(balances);
    return read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  });
}

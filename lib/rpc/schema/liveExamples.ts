/**
 * A method's examples with data from the current chain, or its declared examples if there is no such data. For the
 * server only, because this imports every declaration.
 */
import { isPayable, type Network } from "@/lib/networks";
import type { RpcRequest } from "@/lib/rpc/client";
import { findMethod } from "@/lib/rpc/methods";
import type { ChainFacts, LiveExample } from "@/lib/rpc/schema/live";
import { signTransfer } from "@/lib/rpc/schema/signTransfer";

/** The account and token that the declared examples use. */
const declaredAccount = "f39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const declaredToken = "534b2f3a21130d7a60830c2df862319e593943a3";

function createFacts(network: Network, request: RpcRequest): ChainFacts {
  const once = <T>(read: () => Promise<T>) => {
    let answer: Promise<T> | undefined;
    return () => {
      answer ??= read();
      return answer;
    };
  };
  const transaction = once(async () => {
    const { items } = await request({ method: "explorer_getTransactions", params: [{ limit: 1 }] });
    return items[0];
  });
  return {
    network,
    transaction,
    block: once(async () => {
      const number = (await transaction())?.blockNumber ?? "latest";
      return (await request({ method: "eth_getBlockByNumber", params: [number, false] })) ?? undefined;
    }),
    account: once(async () =>
      network.embedded ? `0x${declaredAccount}` : ((await transaction())?.from ?? `0x${declaredAccount}`),
    ),
    settlement: once(async () => {
      const { items } = await request({ method: "explorer_getPayments", params: [{ limit: 1, state: "settled" }] });
      return items[0]?.transaction ?? undefined;
    }),
    signTransfer: () => signTransfer(network, request),
  };
}

/**
 * Lists the examples to show for a method. If the chain can't be reached, returns the declared examples. If the method
 * is unknown, returns none. `request` sends JSON-RPC to the network.
 */
export async function listLiveExamples(method: string, network: Network, request: RpcRequest): Promise<LiveExample[]> {
  const definition = findMethod(method);
  if (!definition) return [];
  const { examples, effect, toLiveExamples } = definition;
  const facts = createFacts(network, request);
  try {
    const live = await toLiveExamples?.(facts);
    if (live && live.length > 0) return live;
    // Replacing an address in signed bytes would break the signature.
    if (effect === "sends" || effect === "signs") return [...examples];
    const account = (await facts.account()).slice(2);
    const token = (isPayable(network) ? network.tokens[0].address.toLowerCase() : `0x${declaredToken}`).slice(2);
    return examples.map((example) => ({
      ...example,
      params: JSON.parse(
        JSON.stringify(example.params).replaceAll(declaredAccount, account).replaceAll(declaredToken, token),
      ) as unknown[],
    }));
  } catch {
    return [...examples];
  }
}

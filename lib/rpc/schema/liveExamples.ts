/**
 * Examples of every method filled from the chain as it is: a block that has transactions, a transaction, an account
 * that holds something. Where the chain has nothing to fill in yet, the declared examples stand. Runs on the server
 * for the first view and in the browser for a fresh one.
 */
import { isPayable, type Network } from "@/lib/networks";
import type { RpcRequest } from "@/lib/rpc/client";
import type { MethodName } from "@/lib/rpc/methods";
import type { MethodExample } from "@/lib/rpc/schema/define";
import { getMethodNote } from "@/lib/rpc/schema/notes";

export type LiveExample = MethodExample & {
  /** Asked first: its result is the first param. */
  prepare?: { method: MethodName; params: unknown[] };
};

/** As the declarations name them. */
const declaredAccount = "f39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const declaredToken = "534b2f3a21130d7a60830c2df862319e593943a3";
/** Of the public test mnemonic; the demo's own payments use others. */
const senderIndex = 7;
const mnemonic = "test test test test test test test test test test test junk";

type Facts = ReturnType<typeof createFacts>;
type Fill = (facts: Facts) => Promise<LiveExample[] | undefined>;

function createFacts(network: Network, request: RpcRequest) {
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
    request,
    /** The newest mined one. */
    transaction,
    /** The block of that transaction, or the newest. */
    block: once(async () => {
      const number = (await transaction())?.blockNumber ?? "latest";
      return (await request({ method: "eth_getBlockByNumber", params: [number, false] })) ?? undefined;
    }),
    account: once(async () =>
      network.embedded ? `0x${declaredAccount}` : ((await transaction())?.from ?? `0x${declaredAccount}`),
    ),
    payment: once(async () => {
      const { items } = await request({ method: "explorer_getPayments", params: [{ limit: 1, state: "settled" }] });
      return items[0];
    }),
  };
}

const ofTransaction =
  (summary: string, toParams: (hash: string) => unknown[] = (hash) => [hash]): Fill =>
  async ({ transaction }) => {
    const found = await transaction();
    return found && [{ summary, params: toParams(found.hash) }];
  };

const ofBlock =
  (summary: string, toParams: (block: { hash: string; number: string }) => unknown[]): Fill =>
  async ({ block }) => {
    const found = await block();
    return found && [{ summary, params: toParams(found) }];
  };

/** A block that can be run again: genesis cannot. */
const ofRunBlock =
  (summary: string, toParams: (block: { hash: string; number: string }) => unknown[]): Fill =>
  async ({ block }) => {
    const found = await block();
    return found && found.number !== "0x0" ? [{ summary, params: toParams(found) }] : undefined;
  };

const callTracer = { tracer: "callTracer", tracerConfig: { withLog: true } };

const fills: Partial<Record<MethodName, Fill>> = {
  eth_getBlockByNumber: async ({ block }) => {
    const found = await block();
    return [
      { summary: "Newest block with transactions", params: ["latest", true] },
      ...(found ? [{ summary: "The block of the newest transaction", params: [found.number, false] }] : []),
      { summary: "Genesis", params: ["earliest", false] },
    ];
  },
  eth_getBlockByHash: ofBlock("The block of the newest transaction", ({ hash }) => [hash, false]),
  eth_getBlockTransactionCountByHash: ofBlock("The block of the newest transaction", ({ hash }) => [hash]),
  eth_getBlockReceipts: ofBlock("The block of the newest transaction", ({ number }) => [number]),
  eth_getTransactionByHash: ofTransaction("The newest transaction"),
  eth_getTransactionReceipt: ofTransaction("The newest transaction"),
  eth_getTransactionByBlockHashAndIndex: ofBlock("The first of a block", ({ hash }) => [hash, "0x0"]),
  eth_getTransactionByBlockNumberAndIndex: ofBlock("The first of a block", ({ number }) => [number, "0x0"]),
  debug_getRawBlock: ofBlock("The block of the newest transaction", ({ number }) => [number]),
  debug_getRawHeader: ofBlock("The block of the newest transaction", ({ number }) => [number]),
  debug_getRawReceipts: ofBlock("The block of the newest transaction", ({ number }) => [number]),
  debug_getRawTransaction: ofTransaction("The newest transaction"),
  debug_traceTransaction: async ({ transaction }) => {
    const found = await transaction();
    return (
      found && [
        { summary: "Calls and logs of the newest transaction", params: [found.hash, callTracer] },
        {
          summary: "What it changed",
          params: [found.hash, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }],
        },
        { summary: "Its first hundred steps", params: [found.hash, { tracer: "structLog", limit: 100 }] },
      ]
    );
  },
  debug_traceBlockByNumber: ofRunBlock("The block of the newest transaction", ({ number }) => [number, callTracer]),
  debug_traceBlockByHash: ofRunBlock("The block of the newest transaction", ({ hash }) => [hash, callTracer]),
  txpool_statusByHash: ofTransaction("The newest transaction"),
  explorer_getBlockTransactions: ofBlock("Of a block", ({ number }) => [number, { limit: 10 }]),
  explorer_getPayment: async ({ payment }) => {
    const found = await payment();
    return found?.transaction ? [{ summary: "The newest settlement", params: [found.transaction] }] : undefined;
  },
  explorer_search: async ({ transaction, account }) => {
    const found = await transaction();
    const texts = [...(found ? [found.hash] : []), await account(), "0"];
    return texts.map((text) => ({ summary: `What ${text.slice(0, 10)} names`, params: [text] }));
  },
  eth_getFilterChanges: async () => [
    { summary: "Of a filter made for it", params: ["0x1"], prepare: { method: "eth_newBlockFilter", params: [] } },
  ],
  eth_getFilterLogs: async ({ network }) => [
    {
      summary: "Of a filter made for it",
      params: ["0x1"],
      prepare: { method: "eth_newFilter", params: [{ address: network.tokens[0]?.address, fromBlock: "earliest" }] },
    },
  ],
  eth_uninstallFilter: async () => [
    { summary: "A filter made for it", params: ["0x1"], prepare: { method: "eth_newBlockFilter", params: [] } },
  ],
  eth_unsubscribe: async () => [
    {
      summary: "A subscription made for it",
      params: ["0x1"],
      prepare: { method: "eth_subscribe", params: ["newHeads"] },
    },
  ],
  eth_sendRawTransaction: async (facts) => signTransfer(facts, (raw) => [raw]),
  eth_sendRawTransactionSync: async (facts) => signTransfer(facts, (raw) => [raw, 5000]),
};

/** Signed anew each time, by an account whose key everyone has: such an account is worth nothing on a public network. */
async function signTransfer(
  { network, request }: Facts,
  toParams: (raw: string) => unknown[],
): Promise<LiveExample[] | undefined> {
  if (!network.embedded) return undefined;
  const { mnemonicToAccount } = await import("viem/accounts");
  const account = mnemonicToAccount(mnemonic, { addressIndex: senderIndex });
  const address = account.address.toLowerCase();
  const [nonce, gasPrice] = await Promise.all([
    request({ method: "eth_getTransactionCount", params: [address, "pending"] }),
    request({ method: "eth_gasPrice" }),
  ]);
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: network.chainId,
    nonce: Number(nonce),
    gas: 21_000n,
    maxFeePerGas: 2n * BigInt(gasPrice),
    maxPriorityFeePerGas: BigInt(gasPrice) / 10n,
    to: account.address,
    value: 1n,
  });
  return [{ summary: "A transfer of 1 wei, signed just now by a funded account", params: toParams(raw) }];
}

/**
 * The examples to show for a method; declared are its own. A chain that cannot be asked leaves them as they are.
 * request is the network's JSON-RPC.
 */
export async function listLiveExamples(
  method: string,
  declared: readonly MethodExample[],
  network: Network,
  request: RpcRequest,
): Promise<LiveExample[]> {
  const facts = createFacts(network, request);
  try {
    const filled = await fills[method as MethodName]?.(facts);
    if (filled && filled.length > 0) return filled;
    // What is signed is bytes: an address inside of it cannot be another one.
    if (["sends", "signs"].includes(getMethodNote(method).effect)) return [...declared];
    const account = (await facts.account()).slice(2);
    const token = (isPayable(network) ? network.tokens[0].address.toLowerCase() : `0x${declaredToken}`).slice(2);
    return declared.map((example) => ({
      ...example,
      params: JSON.parse(
        JSON.stringify(example.params).replaceAll(declaredAccount, account).replaceAll(declaredToken, token),
      ) as unknown[],
    }));
  } catch {
    return [...declared];
  }
}

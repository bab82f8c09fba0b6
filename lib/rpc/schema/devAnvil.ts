/**
 * anvil's methods other than the common dev controls. They cover information about the node, tokens, state dumps and
 * reorganizations.
 */
import { z } from "zod";
import { address, anyInteger, anyQuantity, data, hexData, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { callObject } from "@/lib/rpc/inputs";
import { aliasMethods, defineMethods } from "@/lib/rpc/schema/define";
import { developer, recipient, token } from "@/lib/rpc/schema/exampleValues";
import { blockShape } from "@/lib/rpc/shapes";

const nothing = z.null();
const depth = anyInteger;
const transactionsByBlock = z
  .array(z.tuple([z.union([callObject, data]), anyInteger]))
  .max(10_000)
  .nullish();

const controls = defineMethods("controls", {
  evm_mine_detailed: {
    summary: "Mines blocks like evm_mine and returns them with full transactions.",
    paramNames: ["options"],
    params: z.tuple([z.object({ timestamp: anyInteger.nullish(), blocks: anyInteger.nullish() }).nullish()]),
    result: z.array(blockShape),
    examples: [{ summary: "One block", params: [] }],
  },

  anvil_addBalance: {
    summary: "Adds to an account's balance at the latest block, in wei.",
    paramNames: ["address", "amount"],
    params: z.tuple([address, anyQuantity]),
    result: nothing,
    examples: [{ summary: "1 native token", params: [recipient, "0xde0b6b3a7640000"] }],
  },

  anvil_dealERC20: {
    summary: "Sets an account's balance of an ERC-20 token, in units, by finding the storage slot that holds it.",
    paramNames: ["address", "token", "balance"],
    params: z.tuple([address, address, anyQuantity]),
    result: nothing,
    examples: [{ summary: "5 USDC", params: [recipient, token, "0x4c4b40"] }],
  },

  anvil_setERC20Allowance: {
    summary: "Sets an allowance of an ERC-20 token, in units, by finding the storage slot that holds it.",
    paramNames: ["owner", "spender", "token", "amount"],
    params: z.tuple([address, address, address, anyQuantity]),
    result: nothing,
    examples: [{ summary: "5 USDC", params: [developer, recipient, token, "0x4c4b40"] }],
  },

  anvil_removePoolTransactions: {
    summary: "Removes all transactions of a sender from the pool.",
    paramNames: ["sender"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "A developer account", params: [developer] }],
  },

  anvil_rollback: {
    summary: "Removes the newest blocks (default 1) with their transactions and empties the pool.",
    paramNames: ["depth"],
    params: z.tuple([depth.nullish().transform((given) => given ?? 1)]),
    result: nothing,
    examples: [{ summary: "No blocks", params: [0] }],
  },

  anvil_reorg: {
    summary:
      "Replaces the newest blocks with the same number of new ones. Takes pairs of a transaction (signed, or from an unlocked account) and the index of the new block that includes it.",
    paramNames: ["depth", "transactions"],
    params: z.tuple([depth, transactionsByBlock]),
    result: nothing,
    examples: [{ summary: "No blocks", params: [0, []] }],
  },

  anvil_setLoggingEnabled: {
    summary: "Turns the server's logging of console.log calls from contracts on or off.",
    paramNames: ["enabled"],
    params: z.tuple([z.boolean()]),
    result: nothing,
    examples: [{ summary: "Off", params: [false] }],
  },

  anvil_setRpcUrl: {
    summary: "Does nothing and returns null, as anvil does if the chain isn't a fork.",
    paramNames: ["url"],
    params: z.tuple([z.string()]),
    result: nothing,
    examples: [{ summary: "A node on this machine", params: ["http://localhost:8545"] }],
  },

  anvil_setMinGasPrice: {
    summary: "Fails, as anvil does if blocks have a base fee. Use anvil_setNextBlockBaseFeePerGas instead.",
    paramNames: ["gas_price"],
    params: z.tuple([anyQuantity]),
    result: nothing,
    examples: [{ summary: "1 wei", params: ["0x1"], refused: true }],
  },

  anvil_loadState: {
    summary:
      "Merges the accounts of a state dump, from this node or anvil, and mines empty blocks up to the dump's block number.",
    paramNames: ["state"],
    params: z.tuple([data]),
    result: z.literal(true),
    examples: [{ summary: "An empty dump", params: ["0x7b226163636f756e7473223a7b7d7d"] }],
  },
});

const facts = defineMethods("reads", {
  anvil_nodeInfo: {
    summary: "Returns the latest block, the fork rules and the fees in anvil's format.",
    requires: "devControls",
    result: z.strictObject({
      currentBlockNumber: hexQuantity,
      currentBlockTimestamp: z.int(),
      currentBlockHash: hexHash,
      hardFork: z.string(),
      transactionOrder: z.string(),
      environment: z.strictObject({
        baseFee: hexQuantity,
        chainId: z.int(),
        gasLimit: hexQuantity,
        gasPrice: hexQuantity,
      }),
      /** Always null, because this chain is not a fork of another chain. */
      forkConfig: z.strictObject({ forkUrl: z.null(), forkBlockNumber: z.null(), forkRetryBackoff: z.null() }),
    }),
    examples: [{ summary: "Now", params: [] }],
  },

  anvil_getIntervalMining: {
    summary: "Returns the interval at which blocks are mined, in seconds; null if interval mining is off.",
    requires: "devControls",
    result: z.number().nullable(),
    examples: [{ summary: "Now", params: [] }],
  },

  anvil_dumpState: {
    summary: "Returns the state and the latest blocks as gzipped JSON in anvil's format, for anvil_loadState.",
    requires: "devControls",
    // A dump can be large.
    isRestricted: true,
    paramNames: ["preserve_historical_states"],
    params: z.tuple([z.boolean().nullish()]),
    result: hexData,
    examples: [{ summary: "Current state", params: [] }],
  },

  anvil_metadata: {
    summary: "Returns the node's version, the latest block and the snapshots in anvil's format.",
    requires: "devControls",
    result: z.strictObject({
      clientVersion: z.string(),
      clientSemver: z.string(),
      chainId: z.int(),
      /** This ID changes with every start and reset. */
      instanceId: hexHash,
      latestBlockNumber: z.int(),
      latestBlockHash: hexHash,
      forkedNetwork: z.null(),
      /** The block number and hash of each snapshot, by snapshot ID. */
      snapshots: z.record(hexQuantity, z.tuple([z.int(), hexHash])),
    }),
    examples: [{ summary: "Now", params: [] }],
  },

  anvil_getGenesisTime: {
    summary: "Returns the Unix timestamp of the genesis block.",
    requires: "devControls",
    result: z.int(),
    examples: [{ summary: "Genesis", params: [] }],
  },
});

export const devAnvilMethods = {
  ...controls,
  ...facts,
  ...aliasMethods(
    { ...controls, ...facts },
    {
      hardhat_addBalance: "anvil_addBalance",
      tenderly_addBalance: "anvil_addBalance",
      anvil_setERC20Balance: "anvil_dealERC20",
      hardhat_dealERC20: "anvil_dealERC20",
      hardhat_metadata: "anvil_metadata",
      hardhat_setLoggingEnabled: "anvil_setLoggingEnabled",
      hardhat_setMinGasPrice: "anvil_setMinGasPrice",
      hardhat_dumpState: "anvil_dumpState",
      hardhat_loadState: "anvil_loadState",
    },
  ),
};

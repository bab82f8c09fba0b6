/**
 * evm_, anvil_ and hardhat_ methods with which test suites change their own chain. If a method has several names, they
 * all mean and return the same: what anvil returns.
 */
import { z } from "zod";
import {
  address,
  data,
  hash32,
  hexAddress,
  hexHash,
  hexQuantity,
  quantity,
  safeInteger,
  storageSlot,
} from "@/lib/rpc/codec";
import { callObject } from "@/lib/rpc/inputs";
import { aliasMethods, defineMethods } from "@/lib/rpc/schema/define";
import { refusedByPool } from "@/lib/rpc/schema/errors";
import { developer, recipient } from "@/lib/rpc/schema/exampleValues";
import { poolLimits } from "@/lib/rpc/schema/limits";

const nobody = "0x00000000000000000000000000000000000000aa";

const nothing = z.null();
const count = safeInteger.nullish();

const transfer = { from: developer, to: recipient, value: "0xde0b6b3a7640000" };

const snapshotShape = z.strictObject({ id: hexQuantity, block: hexQuantity });

const controls = defineMethods("controls", {
  anvil_mine: {
    summary: "Makes blocks, empty ones too, with seconds between them (1 unless given).",
    paramNames: ["blocks", "interval"],
    params: z.tuple([count.transform((given) => given ?? 1), count.transform((given) => given ?? 1)]),
    result: nothing,
    examples: [{ summary: "Three blocks, a minute apart", params: ["0x3", "0x3c"] }],
  },

  evm_mine: {
    summary: "Makes a block now; with a timestamp, in seconds, the block has it.",
    paramNames: ["timestamp"],
    params: z.tuple([z.union([safeInteger, z.object({ timestamp: count, blocks: count })]).nullish()]),
    result: z.literal("0x0"),
    examples: [{ summary: "One block", params: [] }],
  },

  evm_setAutomine: {
    summary: "Whether a block is made as soon as a transaction waits.",
    paramNames: ["enabled"],
    params: z.tuple([z.boolean()]),
    result: nothing,
    examples: [{ summary: "As it is from the start", params: [true] }],
  },

  anvil_getAutomine: {
    summary: "Whether a block is made as soon as a transaction waits.",
    result: z.boolean(),
    examples: [{ summary: "Now", params: [] }],
  },

  evm_setIntervalMining: {
    summary: "Makes a block every so many seconds, empty ones too; 0 ends it.",
    paramNames: ["seconds"],
    params: z.tuple([safeInteger]),
    result: nothing,
    examples: [{ summary: "Off", params: [0] }],
  },

  evm_increaseTime: {
    summary: "Moves the chain's clock ahead by seconds; answers by how many it is ahead of the real one.",
    paramNames: ["seconds"],
    params: z.tuple([safeInteger]),
    result: z.int(),
    examples: [{ summary: "A minute", params: ["0x3c"] }],
  },

  evm_setTime: {
    summary: "Sets the chain's clock, in seconds since 1970; answers by how many it is ahead of the real one.",
    paramNames: ["timestamp"],
    params: z.tuple([safeInteger]),
    result: z.int(),
    examples: [{ summary: "New Year of 2030", params: [1_893_456_000] }],
  },

  evm_setNextBlockTimestamp: {
    summary: "Sets the time of the next block, in seconds since 1970; the clock goes on from there.",
    paramNames: ["timestamp"],
    params: z.tuple([safeInteger]),
    result: nothing,
    examples: [{ summary: "New Year of 2040", params: ["0x83aa7e80"] }],
  },

  anvil_setBlockTimestampInterval: {
    summary: "Gives each block the time of the one before and so many seconds, whatever the clock says.",
    paramNames: ["seconds"],
    params: z.tuple([safeInteger]),
    result: nothing,
    examples: [{ summary: "Twelve seconds, as on Ethereum", params: [12] }],
  },

  anvil_removeBlockTimestampInterval: {
    summary: "Lets blocks follow the clock again; answers whether they did not.",
    result: z.boolean(),
    examples: [{ summary: "Back to the clock", params: [] }],
  },

  anvil_setNextBlockBaseFeePerGas: {
    summary: "Sets the base fee of the next block, in wei; later ones follow from it.",
    paramNames: ["wei"],
    params: z.tuple([quantity]),
    result: nothing,
    examples: [{ summary: "2 gwei", params: ["0x77359400"] }],
  },

  evm_setBlockGasLimit: {
    summary: "Sets the gas limit of the next block, which later ones keep.",
    paramNames: ["gas"],
    params: z.tuple([quantity]),
    result: z.boolean(),
    examples: [{ summary: "150 million gas", params: ["0x8f0d180"] }],
  },

  anvil_setCoinbase: {
    summary: "Sets who gets the tips from the next block on.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "The zero address, as from the start", params: [`0x${"00".repeat(20)}`] }],
  },

  anvil_setBalance: {
    summary: "Sets an account's balance, in wei, at the newest block.",
    paramNames: ["address", "balance"],
    params: z.tuple([address, quantity]),
    result: nothing,
    examples: [{ summary: "One coin", params: [nobody, "0xde0b6b3a7640000"] }],
  },

  anvil_setCode: {
    summary: "Sets an account's code at the newest block.",
    paramNames: ["address", "code"],
    params: z.tuple([address, data]),
    result: nothing,
    examples: [{ summary: "A contract that answers 42", params: [nobody, "0x602a5f5260205ff3"] }],
  },

  anvil_setNonce: {
    summary: "Sets an account's nonce at the newest block.",
    paramNames: ["address", "nonce"],
    params: z.tuple([address, quantity]),
    result: nothing,
    examples: [{ summary: "Seven transactions later", params: [nobody, "0x7"] }],
  },

  anvil_setStorageAt: {
    summary: "Sets a slot of an account's storage at the newest block.",
    paramNames: ["address", "slot", "value"],
    params: z.tuple([address, storageSlot, storageSlot]),
    result: z.boolean(),
    examples: [{ summary: "Slot 0", params: [nobody, "0x0", `0x${"00".repeat(31)}2a`] }],
  },

  anvil_impersonateAccount: {
    summary: "Lets eth_sendTransaction send for an account without its key, a contract's too.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "An account that nobody has the key of", params: [nobody] }],
  },

  anvil_stopImpersonatingAccount: {
    summary: "Ends what anvil_impersonateAccount began.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "The account of the example there", params: [nobody] }],
  },

  anvil_autoImpersonateAccount: {
    summary: "Whether eth_sendTransaction sends for every account without its key.",
    paramNames: ["enabled"],
    params: z.tuple([z.boolean()]),
    result: nothing,
    examples: [{ summary: "As it is from the start", params: [false] }],
  },

  anvil_dropTransaction: {
    summary: "Takes a waiting transaction out of the pool; answers its hash, or null where it does not wait.",
    paramNames: ["hash"],
    params: z.tuple([hash32]),
    result: hexHash.nullable(),
    examples: [{ summary: "One that does not wait", params: [`0x${"00".repeat(28)}deadbeef`] }],
  },

  anvil_dropAllTransactions: {
    summary: "Empties the pool.",
    result: nothing,
    examples: [{ summary: "All of them", params: [] }],
  },

  evm_snapshot: {
    summary: "Keeps the chain as it is to go back to; answers the snapshot's id.",
    result: hexQuantity,
    examples: [{ summary: "As it is now", params: [] }],
  },

  evm_revert: {
    summary: "Takes the chain back to a snapshot, which is used up with those after it; false where there is none.",
    paramNames: ["snapshot"],
    params: z.tuple([safeInteger]),
    result: z.boolean(),
    examples: [{ summary: "One that was never made", params: ["0xffff"] }],
  },

  anvil_reset: {
    summary: "Takes the chain back to its genesis and forgets every setting. It cannot be another chain's fork.",
    paramNames: ["forking"],
    params: z.tuple([z.looseObject({}).nullish()]),
    result: nothing,
    examples: [{ summary: "To the genesis", params: [] }],
  },
});

export const devMethods = {
  ...controls,
  ...aliasMethods(controls, {
    hardhat_mine: "anvil_mine",
    anvil_setAutomine: "evm_setAutomine",
    hardhat_getAutomine: "anvil_getAutomine",
    anvil_setIntervalMining: "evm_setIntervalMining",
    anvil_increaseTime: "evm_increaseTime",
    anvil_setTime: "evm_setTime",
    anvil_setNextBlockTimestamp: "evm_setNextBlockTimestamp",
    hardhat_setNextBlockBaseFeePerGas: "anvil_setNextBlockBaseFeePerGas",
    anvil_setBlockGasLimit: "evm_setBlockGasLimit",
    hardhat_setCoinbase: "anvil_setCoinbase",
    hardhat_setBalance: "anvil_setBalance",
    hardhat_setCode: "anvil_setCode",
    hardhat_setNonce: "anvil_setNonce",
    hardhat_setStorageAt: "anvil_setStorageAt",
    hardhat_impersonateAccount: "anvil_impersonateAccount",
    hardhat_stopImpersonatingAccount: "anvil_stopImpersonatingAccount",
    hardhat_dropTransaction: "anvil_dropTransaction",
    anvil_snapshot: "evm_snapshot",
    anvil_revert: "evm_revert",
    hardhat_reset: "anvil_reset",
  }),

  ...defineMethods("signs", {
    eth_sendTransaction: {
      summary:
        "Fills in, signs and sends a transaction of a funded developer account, or sends it for an impersonated one.",
      requires: "devControls",
      paramNames: ["transaction"],
      params: z.tuple([callObject]),
      result: hexHash,
      errors: [refusedByPool],
      limits: poolLimits,
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },

    eth_sendUnsignedTransaction: {
      summary: "Sends a transaction for any account, without its key.",
      requires: "devControls",
      paramNames: ["transaction"],
      params: z.tuple([callObject]),
      result: hexHash,
      errors: [refusedByPool],
      limits: poolLimits,
      examples: [{ summary: "A plain transfer", params: [transfer] }],
    },
  }),

  ...defineMethods("reads", {
    explorer_getDeveloperState: {
      summary: "How the chain is set by hand, and the newest snapshots; null where it may not be changed.",
      result: z
        .strictObject({
          automine: z.boolean(),
          /** Seconds between blocks mined on a timer; 0 if there is no timer. */
          intervalSeconds: z.number().nonnegative(),
          /** Seconds since the epoch, and how many seconds the clock is ahead of the real one. */
          clock: z.int(),
          clockOffset: z.int(),
          impersonated: z.array(hexAddress),
          snapshots: z.array(snapshotShape),
        })
        .nullable(),
      isExported: true,
      examples: [{ summary: "Now", params: [] }],
    },
  }),
};

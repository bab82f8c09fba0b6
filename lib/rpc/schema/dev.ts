/**
 * The evm_, anvil_ and hardhat_ methods, which let test suites control their chain. If a method has several names, they
 * all behave the same. Results are the same as in anvil.
 */
import { z } from "zod";
import {
  address,
  anyInteger,
  anyQuantity,
  data,
  type Hex,
  hash32,
  hexAddress,
  hexHash,
  hexQuantity,
  storageSlot,
} from "@/lib/rpc/codec";
import { aliasMethods, defineMethods } from "@/lib/rpc/schema/define";

const nobody = "0x00000000000000000000000000000000000000aa";

const toWord = (slot: number): Hex => `0x${slot.toString(16).padStart(64, "0")}`;
/** anvil also accepts a slot as a JSON number. */
const slotOrNumber = z.union([storageSlot, z.int().nonnegative().transform(toWord)]);
const nothing = z.null();
const toUnixSeconds = () => Math.floor(Date.now() / 1000);
const count = anyInteger.nullish();

const snapshotShape = z.strictObject({ id: hexQuantity, block: hexQuantity });

const controls = defineMethods("controls", {
  anvil_mine: {
    summary: "Mines blocks, even if empty, with timestamps the given number of seconds apart (default 1).",
    paramNames: ["blocks", "interval"],
    params: z.tuple([count.transform((given) => given ?? 1), count.transform((given) => given ?? 1)]),
    result: nothing,
    examples: [{ summary: "Three blocks, a minute apart", params: ["0x3", "0x3c"] }],
  },

  evm_mine: {
    summary: "Mines a block now, optionally with the given timestamp in seconds.",
    paramNames: ["timestamp"],
    params: z.tuple([z.union([anyInteger, z.object({ timestamp: count, blocks: count })]).nullish()]),
    result: z.literal("0x0"),
    examples: [{ summary: "One block", params: [] }],
  },

  evm_setAutomine: {
    summary: "Turns automining on or off. While it is on, each transaction is mined as soon as it arrives.",
    paramNames: ["enabled"],
    params: z.tuple([z.boolean()]),
    result: nothing,
    examples: [{ summary: "On (default)", params: [true] }],
  },

  evm_setIntervalMining: {
    summary: "Mines a block, even an empty one, at the given interval in seconds; 0 turns interval mining off.",
    paramNames: ["seconds"],
    params: z.tuple([anyInteger]),
    result: nothing,
    examples: [{ summary: "Off", params: [0] }],
  },

  evm_increaseTime: {
    summary:
      "Advances the chain's clock by the given number of seconds; returns its total offset from real time, in seconds.",
    paramNames: ["seconds"],
    params: z.tuple([anyInteger]),
    result: z.int(),
    examples: [{ summary: "One minute", params: ["0x3c"] }],
  },

  evm_setTime: {
    summary: "Sets the chain's clock to a Unix timestamp; returns its offset from real time, in seconds.",
    paramNames: ["timestamp"],
    params: z.tuple([anyInteger]),
    result: z.int(),
    examples: [{ summary: "January 1, 2030", params: [1_893_456_000] }],
    toLiveExamples: async () => [
      { summary: "Now", params: [toUnixSeconds()] },
      { summary: "In one hour", params: [toUnixSeconds() + 3600] },
    ],
  },

  evm_setNextBlockTimestamp: {
    summary: "Sets the Unix timestamp of the next block; the clock continues from there.",
    paramNames: ["timestamp"],
    params: z.tuple([anyInteger]),
    result: nothing,
    examples: [{ summary: "January 1, 2040", params: ["0x83aa7e80"] }],
    toLiveExamples: async () => [{ summary: "In one minute", params: [toUnixSeconds() + 60] }],
  },

  anvil_setBlockTimestampInterval: {
    summary: "Sets a fixed number of seconds between block timestamps, regardless of the clock.",
    paramNames: ["seconds"],
    params: z.tuple([anyInteger]),
    result: nothing,
    examples: [{ summary: "12 seconds, as on Ethereum", params: [12] }],
  },

  anvil_removeBlockTimestampInterval: {
    summary: "Removes the fixed block timestamp interval; returns whether one was set.",
    result: z.boolean(),
    examples: [{ summary: "Follow the clock again", params: [] }],
  },

  anvil_setNextBlockBaseFeePerGas: {
    summary: "Sets the base fee of the next block, in wei; later base fees are derived from it.",
    paramNames: ["wei"],
    params: z.tuple([anyQuantity]),
    result: nothing,
    examples: [{ summary: "2 gwei", params: ["0x77359400"] }],
  },

  evm_setBlockGasLimit: {
    summary: "Sets the gas limit of the next and all later blocks.",
    paramNames: ["gas"],
    params: z.tuple([anyQuantity]),
    result: z.boolean(),
    examples: [{ summary: "150 million gas", params: ["0x8f0d180"] }],
  },

  anvil_setCoinbase: {
    summary: "Sets the address that receives priority fees, starting with the next block.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "Zero address (default)", params: [`0x${"00".repeat(20)}`] }],
  },

  hardhat_setPrevRandao: {
    summary: "Sets the prevRandao value of the next block.",
    paramNames: ["prevRandao"],
    params: z.tuple([hash32]),
    result: nothing,
    examples: [{ summary: "Zero", params: [`0x${"00".repeat(32)}`] }],
  },

  anvil_setBalance: {
    summary: "Sets an account's balance at the latest block, in wei.",
    paramNames: ["address", "balance"],
    params: z.tuple([address, anyQuantity]),
    result: nothing,
    examples: [{ summary: "1 native token", params: [nobody, "0xde0b6b3a7640000"] }],
  },

  anvil_setCode: {
    summary: "Sets an account's code at the latest block.",
    paramNames: ["address", "code"],
    params: z.tuple([address, data]),
    result: nothing,
    examples: [{ summary: "A contract that returns 42", params: [nobody, "0x602a5f5260205ff3"] }],
  },

  anvil_setNonce: {
    summary: "Sets an account's nonce at the latest block.",
    paramNames: ["address", "nonce"],
    params: z.tuple([address, anyQuantity]),
    result: nothing,
    examples: [{ summary: "Nonce 7", params: [nobody, "0x7"] }],
  },

  anvil_setStorageAt: {
    summary: "Sets a storage slot of an account at the latest block.",
    paramNames: ["address", "slot", "value"],
    params: z.tuple([address, slotOrNumber, storageSlot]),
    result: z.boolean(),
    examples: [{ summary: "Slot 0", params: [nobody, "0x0", `0x${"00".repeat(31)}2a`] }],
  },

  anvil_impersonateAccount: {
    summary: "Lets eth_sendTransaction send from an account without its key; works for contracts too.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "Account without a known key", params: [nobody] }],
  },

  anvil_stopImpersonatingAccount: {
    summary: "Stops impersonating an account.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: nothing,
    examples: [{ summary: "Impersonated account", params: [nobody] }],
  },

  anvil_autoImpersonateAccount: {
    summary: "Turns impersonation of all accounts on or off. While it is on, eth_sendTransaction needs no key.",
    paramNames: ["enabled"],
    params: z.tuple([z.boolean()]),
    result: nothing,
    examples: [{ summary: "Off (default)", params: [false] }],
  },

  anvil_dropTransaction: {
    summary: "Removes a transaction from the pool; returns its hash, or null if it isn't in the pool.",
    paramNames: ["hash"],
    params: z.tuple([hash32]),
    result: hexHash.nullable(),
    examples: [{ summary: "An unknown transaction", params: [`0x${"00".repeat(28)}deadbeef`] }],
  },

  hardhat_dropTransaction: {
    summary: "Removes a transaction from the pool; returns whether it was there.",
    paramNames: ["hash"],
    params: z.tuple([hash32]),
    result: z.boolean(),
    examples: [{ summary: "An unknown transaction", params: [`0x${"00".repeat(28)}deadbeef`] }],
  },

  anvil_dropAllTransactions: {
    summary: "Removes all transactions from the pool.",
    result: nothing,
    examples: [{ summary: "Clear the pool", params: [] }],
  },

  evm_snapshot: {
    summary: "Takes a snapshot of the chain and returns its ID.",
    result: hexQuantity,
    examples: [{ summary: "Current state", params: [] }],
  },

  evm_revert: {
    summary:
      "Reverts the chain to a snapshot and deletes that snapshot and all later ones; returns false if it doesn't exist.",
    paramNames: ["snapshot"],
    params: z.tuple([anyInteger]),
    result: z.boolean(),
    examples: [{ summary: "An unknown snapshot", params: ["0xffff"] }],
  },

  anvil_reset: {
    summary: "Resets the chain to genesis and clears all settings. Forking another chain is not supported.",
    paramNames: ["forking"],
    params: z.tuple([z.looseObject({}).nullish()]),
    result: nothing,
    examples: [{ summary: "Reset to genesis", params: [] }],
  },
});

const settings = defineMethods("reads", {
  anvil_getAutomine: {
    summary: "Returns whether automining is on.",
    requires: "devControls",
    result: z.boolean(),
    examples: [{ summary: "Now", params: [] }],
  },
});

export const devMethods = {
  ...controls,
  ...settings,
  ...aliasMethods(settings, { hardhat_getAutomine: "anvil_getAutomine" }),
  ...aliasMethods(controls, {
    hardhat_mine: "anvil_mine",
    anvil_setAutomine: "evm_setAutomine",
    anvil_setIntervalMining: "evm_setIntervalMining",
    anvil_increaseTime: "evm_increaseTime",
    anvil_setTime: "evm_setTime",
    anvil_setNextBlockTimestamp: "evm_setNextBlockTimestamp",
    hardhat_setNextBlockBaseFeePerGas: "anvil_setNextBlockBaseFeePerGas",
    anvil_setBlockGasLimit: "evm_setBlockGasLimit",
    hardhat_setCoinbase: "anvil_setCoinbase",
    hardhat_setBalance: "anvil_setBalance",
    tenderly_setBalance: "anvil_setBalance",
    hardhat_setCode: "anvil_setCode",
    hardhat_setNonce: "anvil_setNonce",
    hardhat_setStorageAt: "anvil_setStorageAt",
    hardhat_impersonateAccount: "anvil_impersonateAccount",
    hardhat_stopImpersonatingAccount: "anvil_stopImpersonatingAccount",
    hardhat_autoImpersonateAccount: "anvil_autoImpersonateAccount",
    anvil_snapshot: "evm_snapshot",
    anvil_revert: "evm_revert",
    hardhat_reset: "anvil_reset",
    hardhat_dropAllTransactions: "anvil_dropAllTransactions",
    evm_setAccountNonce: "anvil_setNonce",
  }),

  ...defineMethods("reads", {
    explorer_getDeveloperState: {
      summary: "Returns the dev control settings and the latest snapshots; null if dev controls are disabled.",
      result: z
        .strictObject({
          automine: z.boolean(),
          /** The seconds between blocks that are mined on a timer. 0 if interval mining is off. */
          intervalSeconds: z.number().nonnegative(),
          /** The chain's clock as a Unix timestamp, and its offset from real time in seconds. */
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

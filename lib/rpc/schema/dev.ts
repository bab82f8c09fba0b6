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
import { aliasMethod, defineMethod, type MethodDefinition } from "@/lib/rpc/schema/define";
import { refusedByPool } from "@/lib/rpc/schema/errors";
import { poolLimits } from "@/lib/rpc/schema/limits";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const recipient = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const nobody = "0x00000000000000000000000000000000000000aa";

/** Every one of them requires a chain with developer controls. */
function defineDevControl<
  const Name extends string,
  Params extends z.ZodType<readonly unknown[]>,
  Result extends z.ZodType,
>(definition: Omit<MethodDefinition<Name, Params, Result>, "effect" | "requires" | "isExported">) {
  return defineMethod<Name, Params, Result>({ ...definition, effect: "controls", requires: "devControls" });
}

const nothing = z.null();
const count = safeInteger.nullish();

export const anvil_mine = defineDevControl({
  name: "anvil_mine",
  summary: "Makes blocks, empty ones too, with seconds between them (1 unless given).",
  paramNames: ["blocks", "interval"],
  params: z.tuple([count.transform((given) => given ?? 1), count.transform((given) => given ?? 1)]),
  result: nothing,
  examples: [{ summary: "Three blocks, a minute apart", params: ["0x3", "0x3c"] }],
});
export const hardhat_mine = aliasMethod("hardhat_mine", anvil_mine);

export const evm_mine = defineDevControl({
  name: "evm_mine",
  summary: "Makes a block now; with a timestamp, in seconds, the block has it.",
  paramNames: ["timestamp"],
  params: z.tuple([z.union([safeInteger, z.object({ timestamp: count, blocks: count })]).nullish()]),
  result: z.literal("0x0"),
  examples: [{ summary: "One block", params: [] }],
});

export const evm_setAutomine = defineDevControl({
  name: "evm_setAutomine",
  summary: "Whether a block is made as soon as a transaction waits.",
  paramNames: ["enabled"],
  params: z.tuple([z.boolean()]),
  result: nothing,
  examples: [{ summary: "As it is from the start", params: [true] }],
});
export const anvil_setAutomine = aliasMethod("anvil_setAutomine", evm_setAutomine);

export const anvil_getAutomine = defineDevControl({
  name: "anvil_getAutomine",
  summary: "Whether a block is made as soon as a transaction waits.",
  paramNames: [],
  params: z.tuple([]),
  result: z.boolean(),
  examples: [{ summary: "Now", params: [] }],
});
export const hardhat_getAutomine = aliasMethod("hardhat_getAutomine", anvil_getAutomine);

export const evm_setIntervalMining = defineDevControl({
  name: "evm_setIntervalMining",
  summary: "Makes a block every so many seconds, empty ones too; 0 ends it.",
  paramNames: ["seconds"],
  params: z.tuple([safeInteger]),
  result: nothing,
  examples: [{ summary: "Off", params: [0] }],
});
export const anvil_setIntervalMining = aliasMethod("anvil_setIntervalMining", evm_setIntervalMining);

export const evm_increaseTime = defineDevControl({
  name: "evm_increaseTime",
  summary: "Moves the chain's clock ahead by seconds; answers by how many it is ahead of the real one.",
  paramNames: ["seconds"],
  params: z.tuple([safeInteger]),
  result: z.int(),
  examples: [{ summary: "A minute", params: ["0x3c"] }],
});
export const anvil_increaseTime = aliasMethod("anvil_increaseTime", evm_increaseTime);

export const evm_setTime = defineDevControl({
  name: "evm_setTime",
  summary: "Sets the chain's clock, in seconds since 1970; answers by how many it is ahead of the real one.",
  paramNames: ["timestamp"],
  params: z.tuple([safeInteger]),
  result: z.int(),
  examples: [{ summary: "New Year of 2030", params: [1_893_456_000] }],
});
export const anvil_setTime = aliasMethod("anvil_setTime", evm_setTime);

export const evm_setNextBlockTimestamp = defineDevControl({
  name: "evm_setNextBlockTimestamp",
  summary: "Sets the time of the next block, in seconds since 1970; the clock goes on from there.",
  paramNames: ["timestamp"],
  params: z.tuple([safeInteger]),
  result: nothing,
  examples: [{ summary: "New Year of 2040", params: ["0x83aa7e80"] }],
});
export const anvil_setNextBlockTimestamp = aliasMethod("anvil_setNextBlockTimestamp", evm_setNextBlockTimestamp);

export const anvil_setBlockTimestampInterval = defineDevControl({
  name: "anvil_setBlockTimestampInterval",
  summary: "Gives each block the time of the one before and so many seconds, whatever the clock says.",
  paramNames: ["seconds"],
  params: z.tuple([safeInteger]),
  result: nothing,
  examples: [{ summary: "Twelve seconds, as on Ethereum", params: [12] }],
});

export const anvil_removeBlockTimestampInterval = defineDevControl({
  name: "anvil_removeBlockTimestampInterval",
  summary: "Lets blocks follow the clock again; answers whether they did not.",
  paramNames: [],
  params: z.tuple([]),
  result: z.boolean(),
  examples: [{ summary: "Back to the clock", params: [] }],
});

export const anvil_setNextBlockBaseFeePerGas = defineDevControl({
  name: "anvil_setNextBlockBaseFeePerGas",
  summary: "Sets the base fee of the next block, in wei; later ones follow from it.",
  paramNames: ["wei"],
  params: z.tuple([quantity]),
  result: nothing,
  examples: [{ summary: "2 gwei", params: ["0x77359400"] }],
});
export const hardhat_setNextBlockBaseFeePerGas = aliasMethod(
  "hardhat_setNextBlockBaseFeePerGas",
  anvil_setNextBlockBaseFeePerGas,
);

export const evm_setBlockGasLimit = defineDevControl({
  name: "evm_setBlockGasLimit",
  summary: "Sets the gas limit of the next block, which later ones keep.",
  paramNames: ["gas"],
  params: z.tuple([quantity]),
  result: z.boolean(),
  examples: [{ summary: "150 million gas", params: ["0x8f0d180"] }],
});
export const anvil_setBlockGasLimit = aliasMethod("anvil_setBlockGasLimit", evm_setBlockGasLimit);

export const anvil_setCoinbase = defineDevControl({
  name: "anvil_setCoinbase",
  summary: "Sets who gets the tips from the next block on.",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: nothing,
  examples: [{ summary: "The zero address, as from the start", params: [`0x${"00".repeat(20)}`] }],
});
export const hardhat_setCoinbase = aliasMethod("hardhat_setCoinbase", anvil_setCoinbase);

export const anvil_setBalance = defineDevControl({
  name: "anvil_setBalance",
  summary: "Sets an account's balance, in wei, at the newest block.",
  paramNames: ["address", "balance"],
  params: z.tuple([address, quantity]),
  result: nothing,
  examples: [{ summary: "One coin", params: [nobody, "0xde0b6b3a7640000"] }],
});
export const hardhat_setBalance = aliasMethod("hardhat_setBalance", anvil_setBalance);

export const anvil_setCode = defineDevControl({
  name: "anvil_setCode",
  summary: "Sets an account's code at the newest block.",
  paramNames: ["address", "code"],
  params: z.tuple([address, data]),
  result: nothing,
  examples: [{ summary: "A contract that answers 42", params: [nobody, "0x602a5f5260205ff3"] }],
});
export const hardhat_setCode = aliasMethod("hardhat_setCode", anvil_setCode);

export const anvil_setNonce = defineDevControl({
  name: "anvil_setNonce",
  summary: "Sets an account's nonce at the newest block.",
  paramNames: ["address", "nonce"],
  params: z.tuple([address, quantity]),
  result: nothing,
  examples: [{ summary: "Seven transactions later", params: [nobody, "0x7"] }],
});
export const hardhat_setNonce = aliasMethod("hardhat_setNonce", anvil_setNonce);

export const anvil_setStorageAt = defineDevControl({
  name: "anvil_setStorageAt",
  summary: "Sets a slot of an account's storage at the newest block.",
  paramNames: ["address", "slot", "value"],
  params: z.tuple([address, storageSlot, storageSlot]),
  result: z.boolean(),
  examples: [{ summary: "Slot 0", params: [nobody, "0x0", `0x${"00".repeat(31)}2a`] }],
});
export const hardhat_setStorageAt = aliasMethod("hardhat_setStorageAt", anvil_setStorageAt);

export const anvil_impersonateAccount = defineDevControl({
  name: "anvil_impersonateAccount",
  summary: "Lets eth_sendTransaction send for an account without its key, a contract's too.",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: nothing,
  examples: [{ summary: "An account that nobody has the key of", params: [nobody] }],
});
export const hardhat_impersonateAccount = aliasMethod("hardhat_impersonateAccount", anvil_impersonateAccount);

export const anvil_stopImpersonatingAccount = defineDevControl({
  name: "anvil_stopImpersonatingAccount",
  summary: "Ends what anvil_impersonateAccount began.",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: nothing,
  examples: [{ summary: "The account of the example there", params: [nobody] }],
});
export const hardhat_stopImpersonatingAccount = aliasMethod(
  "hardhat_stopImpersonatingAccount",
  anvil_stopImpersonatingAccount,
);

export const anvil_autoImpersonateAccount = defineDevControl({
  name: "anvil_autoImpersonateAccount",
  summary: "Whether eth_sendTransaction sends for every account without its key.",
  paramNames: ["enabled"],
  params: z.tuple([z.boolean()]),
  result: nothing,
  examples: [{ summary: "As it is from the start", params: [false] }],
});

export const anvil_dropTransaction = defineDevControl({
  name: "anvil_dropTransaction",
  summary: "Takes a waiting transaction out of the pool; answers its hash, or null where it does not wait.",
  paramNames: ["hash"],
  params: z.tuple([hash32]),
  result: hexHash.nullable(),
  examples: [{ summary: "One that does not wait", params: [`0x${"00".repeat(28)}deadbeef`] }],
});
export const hardhat_dropTransaction = aliasMethod("hardhat_dropTransaction", anvil_dropTransaction);

export const anvil_dropAllTransactions = defineDevControl({
  name: "anvil_dropAllTransactions",
  summary: "Empties the pool.",
  paramNames: [],
  params: z.tuple([]),
  result: nothing,
  examples: [{ summary: "All of them", params: [] }],
});

export const evm_snapshot = defineDevControl({
  name: "evm_snapshot",
  summary: "Keeps the chain as it is to go back to; answers the snapshot's id.",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  examples: [{ summary: "As it is now", params: [] }],
});
export const anvil_snapshot = aliasMethod("anvil_snapshot", evm_snapshot);

export const evm_revert = defineDevControl({
  name: "evm_revert",
  summary: "Takes the chain back to a snapshot, which is used up with those after it; false where there is none.",
  paramNames: ["snapshot"],
  params: z.tuple([safeInteger]),
  result: z.boolean(),
  examples: [{ summary: "One that was never made", params: ["0xffff"] }],
});
export const anvil_revert = aliasMethod("anvil_revert", evm_revert);

export const anvil_reset = defineDevControl({
  name: "anvil_reset",
  summary: "Takes the chain back to its genesis and forgets every setting. It cannot be another chain's fork.",
  paramNames: ["forking"],
  params: z.tuple([z.looseObject({}).nullish()]),
  result: nothing,
  examples: [{ summary: "To the genesis", params: [] }],
});
export const hardhat_reset = aliasMethod("hardhat_reset", anvil_reset);

const transfer = { from: developer, to: recipient, value: "0xde0b6b3a7640000" };

export const eth_sendTransaction = defineMethod({
  name: "eth_sendTransaction",
  summary:
    "Fills in, signs and sends a transaction of a funded developer account, or sends it for an impersonated one.",
  effect: "signs",
  requires: "devControls",
  paramNames: ["transaction"],
  params: z.tuple([callObject]),
  result: hexHash,
  errors: [refusedByPool],
  limits: poolLimits,
  examples: [{ summary: "A plain transfer", params: [transfer] }],
});

export const eth_sendUnsignedTransaction = defineMethod({
  name: "eth_sendUnsignedTransaction",
  summary: "Sends a transaction for any account, without its key.",
  effect: "signs",
  requires: "devControls",
  paramNames: ["transaction"],
  params: z.tuple([callObject]),
  result: hexHash,
  errors: [refusedByPool],
  limits: poolLimits,
  examples: [{ summary: "A plain transfer", params: [transfer] }],
});

const snapshotShape = z.strictObject({ id: hexQuantity, block: hexQuantity });

export const explorer_getDeveloperState = defineMethod({
  name: "explorer_getDeveloperState",
  summary: "How the chain is set by hand, and the newest snapshots; null where it may not be changed.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
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
});

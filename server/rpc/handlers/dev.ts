/** Methods with which test suites change their own chain. */
import { parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { CallInput } from "@/lib/rpc/inputs";
import type { DecodedParams, MethodName, RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import type { Developer } from "@/server/chain/devControls";
import {
  encodeSigned,
  type FillSource,
  fillTransaction,
  type UnsignedTransaction,
} from "@/server/chain/fillTransaction";
import { listDevAccounts } from "@/server/config/devAccounts";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import type { Hash } from "@/server/ethereum/types";
import { toQuery } from "@/server/rpc/callQuery";
import { toCallFailure, toInvalidArgument, toServerError } from "@/server/rpc/errors";
import { handler, type Ports } from "@/server/rpc/ports";

/** The methods that only do something. */
type CommandName = { [Name in MethodName]: null extends RpcResult<Name> ? Name : never }[MethodName];

function command<Name extends CommandName>(
  name: Name,
  run: (controls: Developer, ...params: DecodedParams<Name>) => unknown,
) {
  return handler(name, ["devControls"], async ({ devControls }, ...params) => {
    await run(devControls, ...params);
    return null as RpcResult<Name>;
  });
}

export const anvil_mine = command("anvil_mine", (controls, blocks, interval) => controls.mine(blocks, interval));

export const evm_mine = handler("evm_mine", ["devControls"], async ({ devControls }, given) => {
  const { timestamp, blocks } = typeof given === "object" && given !== null ? given : { timestamp: given, blocks: 1 };
  if (timestamp !== undefined && timestamp !== null) devControls.setNextTimestamp(timestamp);
  await devControls.mine(blocks ?? 1, 1);
  return "0x0" as const;
});

export const evm_setAutomine = command("evm_setAutomine", (controls, enabled) => {
  // As in anvil, automine and interval mining exclude each other.
  if (enabled) controls.setIntervalMining(0);
  controls.setAutomatic(enabled);
});

export const anvil_getAutomine = handler("anvil_getAutomine", ["devControls"], ({ devControls }) =>
  devControls.settings.isAutomatic(),
);

export const evm_setIntervalMining = command("evm_setIntervalMining", (controls, seconds) => {
  if (seconds > 86_400) throw toInvalidArgument(0, "seconds must be at most a day, 86400");
  if (seconds > 0) controls.setAutomatic(false);
  controls.setIntervalMining(seconds * 1000);
});

export const evm_increaseTime = handler("evm_increaseTime", ["devControls"], ({ devControls }, seconds) =>
  devControls.increaseTime(seconds),
);

export const evm_setTime = handler("evm_setTime", ["devControls"], ({ devControls }, timestamp) =>
  devControls.setTime(timestamp),
);

export const evm_setNextBlockTimestamp = command("evm_setNextBlockTimestamp", (controls, timestamp) =>
  controls.setNextTimestamp(timestamp),
);

export const anvil_setBlockTimestampInterval = command("anvil_setBlockTimestampInterval", (controls, seconds) =>
  controls.setTimestampInterval(seconds),
);

export const anvil_removeBlockTimestampInterval = handler(
  "anvil_removeBlockTimestampInterval",
  ["devControls"],
  ({ devControls }) => devControls.setTimestampInterval(undefined),
);

export const anvil_setNextBlockBaseFeePerGas = command("anvil_setNextBlockBaseFeePerGas", (controls, wei) =>
  controls.setNextBaseFee(wei),
);

export const evm_setBlockGasLimit = handler("evm_setBlockGasLimit", ["devControls"], ({ devControls }, gas) => {
  devControls.setGasLimit(gas);
  return true;
});

export const anvil_setCoinbase = command("anvil_setCoinbase", (controls, address) => controls.setCoinbase(address));

export const anvil_setBalance = command("anvil_setBalance", (controls, address, balance) =>
  controls.edit([{ address, balance }]),
);

export const anvil_setCode = command("anvil_setCode", (controls, address, code) => controls.edit([{ address, code }]));

export const anvil_setNonce = command("anvil_setNonce", async (controls, address, nonce) => {
  // EIP-2681
  if (nonce >= 2n ** 64n - 1n) throw toInvalidArgument(1, "a nonce is below 2^64 - 1");
  await controls.edit([{ address, nonce }]);
});

export const anvil_setStorageAt = handler(
  "anvil_setStorageAt",
  ["devControls"],
  async ({ devControls }, address, slot, value) => {
    await devControls.edit([{ address, slots: [{ slot, value }] }]);
    return true;
  },
);

export const anvil_impersonateAccount = command("anvil_impersonateAccount", (controls, address) =>
  controls.impersonate(address, true),
);

export const anvil_stopImpersonatingAccount = command("anvil_stopImpersonatingAccount", (controls, address) =>
  controls.impersonate(address, false),
);

export const anvil_autoImpersonateAccount = command("anvil_autoImpersonateAccount", (controls, enabled) =>
  controls.impersonateAll(enabled),
);

export const anvil_dropTransaction = handler("anvil_dropTransaction", ["devControls"], async ({ devControls }, hash) =>
  (await devControls.drop(hash)) ? hash : null,
);

export const anvil_dropAllTransactions = command("anvil_dropAllTransactions", (controls) => controls.dropAll());

export const evm_snapshot = handler("evm_snapshot", ["devControls"], async ({ devControls }) =>
  toQuantity(await devControls.snapshot()),
);

export const evm_revert = handler("evm_revert", ["devControls"], ({ devControls }, id) => devControls.revert(id));

export const anvil_reset = command("anvil_reset", async (controls, forking) => {
  const fork = forking && "forking" in forking ? forking.forking : undefined;
  if (typeof fork === "object" && fork !== null && "jsonRpcUrl" in fork && fork.jsonRpcUrl) {
    throw toInvalidArgument(0, "forking: the chain cannot become another one's fork");
  }
  await controls.reset();
});

/** What sends a transaction that the caller did not sign. */
const sending = ["devControls", "submission", "calls", "fees", "pool"] as const;

/** Requests sent one after another get consecutive nonces. */
export const eth_sendTransaction = handler("eth_sendTransaction", sending, (context, call) =>
  context.devControls.inTurn(async () => {
    const { payload, transaction } = await fill(context, call);
    const { from } = transaction;
    if (context.devControls.isImpersonated(from)) return sendImpersonated(context, transaction);
    const account = listDevAccounts().find(({ address }) => address === from);
    if (!account) {
      const how = "impersonate it by anvil_impersonateAccount, or sign and send by eth_sendRawTransaction";
      throw toServerError(`There is no key of ${from} here: ${how}.`);
    }
    const signature = parseSignature(await privateKeyToAccount(account.privateKey).sign({ hash: keccakHex(payload) }));
    const { r, s, yParity } = signature;
    return context.submission.submit(encodeSigned(transaction, { r: BigInt(r), s: BigInt(s), yParity }));
  }),
);

export const eth_sendUnsignedTransaction = handler("eth_sendUnsignedTransaction", sending, (context, call) =>
  context.devControls.inTurn(async () => sendImpersonated(context, (await fill(context, call)).transaction)),
);

/** The filled transaction, and the payload that its sender would sign. */
async function fill(source: FillSource, call: CallInput) {
  if (!call.from) throw toInvalidArgument(0, "from: a transaction has a sender");
  const filled = await fillTransaction(source, toQuery(call, { tag: "latest" }).call);
  if ("result" in filled) throw toCallFailure(filled.result);
  return { transaction: filled.transaction, payload: filled.raw };
}

function sendImpersonated({ submission }: Pick<Ports, "submission">, transaction: UnsignedTransaction): Promise<Hash> {
  const mark = toImpersonationMark(transaction.from);
  return submission.submitImpersonated(encodeSigned(transaction, { ...mark, yParity: 0 }), transaction.from);
}

const shownSnapshots = 20;

export const explorer_getDeveloperState = handler(
  "explorer_getDeveloperState",
  ["devControls"],
  async ({ devControls }) => {
    const { settings } = devControls;
    const snapshots = await devControls.listSnapshots(shownSnapshots);
    return {
      automine: settings.isAutomatic(),
      intervalSeconds: devControls.intervalMs() / 1000,
      clock: settings.clock(),
      clockOffset: settings.clockOffset(),
      impersonated: devControls.listImpersonated(),
      snapshots: snapshots.map(({ id, block }) => ({ id: toQuantity(id), block: toQuantity(block) })),
    };
  },
);

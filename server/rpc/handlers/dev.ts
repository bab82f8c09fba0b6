/** Developer methods for test suites. Each is refused unless the network allows manual changes to its chain. */
import { parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { CallInput } from "@/lib/rpc/inputs";
import { toQuantity } from "@/lib/units";
import type { Developer } from "@/server/chain/devControls";
import { encodeSigned, fillTransaction, type UnsignedTransaction } from "@/server/chain/fillTransaction";
import { listDevAccounts } from "@/server/config/devAccounts";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import type { Hash } from "@/server/ethereum/types";
import { toQuery } from "@/server/rpc/callQuery";
import type { Handler, RpcContext } from "@/server/rpc/context";
import { toCallFailure, toInvalidArgument, toNotDeveloped, toServerError } from "@/server/rpc/errors";

function getDeveloper({ chain, network }: RpcContext): Developer {
  if (!chain.devControls) throw toNotDeveloped(network.name);
  return chain.devControls;
}

export const anvil_mine: Handler<"anvil_mine"> = async (context, blocks, interval) => {
  await getDeveloper(context).mine(blocks, interval);
  return null;
};

export const evm_mine: Handler<"evm_mine"> = async (context, given) => {
  const developer = getDeveloper(context);
  const { timestamp, blocks } = typeof given === "object" && given !== null ? given : { timestamp: given, blocks: 1 };
  if (timestamp !== undefined && timestamp !== null) developer.setNextTimestamp(timestamp);
  await developer.mine(blocks ?? 1, 1);
  return "0x0" as const;
};

export const evm_setAutomine: Handler<"evm_setAutomine"> = (context, enabled) => {
  const developer = getDeveloper(context);
  // As in anvil, automine and interval mining exclude each other.
  if (enabled) developer.setIntervalMining(0);
  developer.setAutomatic(enabled);
  return null;
};

export const anvil_getAutomine: Handler<"anvil_getAutomine"> = (context) =>
  getDeveloper(context).settings.isAutomatic();

export const evm_setIntervalMining: Handler<"evm_setIntervalMining"> = (context, seconds) => {
  const developer = getDeveloper(context);
  if (seconds > 86_400) throw toInvalidArgument(0, "seconds must be at most a day, 86400");
  if (seconds > 0) developer.setAutomatic(false);
  developer.setIntervalMining(seconds * 1000);
  return null;
};

export const evm_increaseTime: Handler<"evm_increaseTime"> = (context, seconds) =>
  getDeveloper(context).increaseTime(seconds);

export const evm_setTime: Handler<"evm_setTime"> = (context, timestamp) => getDeveloper(context).setTime(timestamp);

export const evm_setNextBlockTimestamp: Handler<"evm_setNextBlockTimestamp"> = (context, timestamp) => {
  getDeveloper(context).setNextTimestamp(timestamp);
  return null;
};

export const anvil_setBlockTimestampInterval: Handler<"anvil_setBlockTimestampInterval"> = (context, seconds) => {
  getDeveloper(context).setTimestampInterval(seconds);
  return null;
};

export const anvil_removeBlockTimestampInterval: Handler<"anvil_removeBlockTimestampInterval"> = (context) =>
  getDeveloper(context).setTimestampInterval(undefined);

export const anvil_setNextBlockBaseFeePerGas: Handler<"anvil_setNextBlockBaseFeePerGas"> = (context, wei) => {
  getDeveloper(context).setNextBaseFee(wei);
  return null;
};

export const evm_setBlockGasLimit: Handler<"evm_setBlockGasLimit"> = (context, gas) => {
  getDeveloper(context).setGasLimit(gas);
  return true;
};

export const anvil_setCoinbase: Handler<"anvil_setCoinbase"> = (context, address) => {
  getDeveloper(context).setCoinbase(address);
  return null;
};

export const anvil_setBalance: Handler<"anvil_setBalance"> = async (context, address, balance) => {
  await getDeveloper(context).edit([{ address, balance }]);
  return null;
};

export const anvil_setCode: Handler<"anvil_setCode"> = async (context, address, code) => {
  await getDeveloper(context).edit([{ address, code }]);
  return null;
};

export const anvil_setNonce: Handler<"anvil_setNonce"> = async (context, address, nonce) => {
  const developer = getDeveloper(context);
  // EIP-2681
  if (nonce >= 2n ** 64n - 1n) throw toInvalidArgument(1, "a nonce is below 2^64 - 1");
  await developer.edit([{ address, nonce }]);
  return null;
};

export const anvil_setStorageAt: Handler<"anvil_setStorageAt"> = async (context, address, slot, value) => {
  await getDeveloper(context).edit([{ address, slots: [{ slot, value }] }]);
  return true;
};

export const anvil_impersonateAccount: Handler<"anvil_impersonateAccount"> = (context, address) => {
  getDeveloper(context).impersonate(address, true);
  return null;
};

export const anvil_stopImpersonatingAccount: Handler<"anvil_stopImpersonatingAccount"> = (context, address) => {
  getDeveloper(context).impersonate(address, false);
  return null;
};

export const anvil_autoImpersonateAccount: Handler<"anvil_autoImpersonateAccount"> = (context, enabled) => {
  getDeveloper(context).impersonateAll(enabled);
  return null;
};

export const anvil_dropTransaction: Handler<"anvil_dropTransaction"> = async (context, hash) =>
  (await getDeveloper(context).drop(hash)) ? hash : null;

export const anvil_dropAllTransactions: Handler<"anvil_dropAllTransactions"> = async (context) => {
  await getDeveloper(context).dropAll();
  return null;
};

export const evm_snapshot: Handler<"evm_snapshot"> = async (context) =>
  toQuantity(await getDeveloper(context).snapshot());

export const evm_revert: Handler<"evm_revert"> = (context, id) => getDeveloper(context).revert(id);

export const anvil_reset: Handler<"anvil_reset"> = async (context, forking) => {
  const developer = getDeveloper(context);
  const fork = forking && "forking" in forking ? forking.forking : undefined;
  if (typeof fork === "object" && fork !== null && "jsonRpcUrl" in fork && fork.jsonRpcUrl) {
    throw toInvalidArgument(0, "forking: the chain cannot become another one's fork");
  }
  await developer.reset();
  return null;
};

/** Requests sent one after another get consecutive nonces. */
export const eth_sendTransaction: Handler<"eth_sendTransaction"> = (context, call) => {
  const developer = getDeveloper(context);
  return developer.inTurn(async () => {
    const { payload, transaction } = await fill(context, call);
    const { from } = transaction;
    if (developer.isImpersonated(from)) return sendImpersonated(context, transaction);
    const account = listDevAccounts().find(({ address }) => address === from);
    if (!account) {
      const how = "impersonate it by anvil_impersonateAccount, or sign and send by eth_sendRawTransaction";
      throw toServerError(`There is no key of ${from} here: ${how}.`);
    }
    const signature = parseSignature(await privateKeyToAccount(account.privateKey).sign({ hash: keccakHex(payload) }));
    const { r, s, yParity } = signature;
    return context.chain.submit(encodeSigned(transaction, { r: BigInt(r), s: BigInt(s), yParity }));
  });
};

export const eth_sendUnsignedTransaction: Handler<"eth_sendUnsignedTransaction"> = (context, call) =>
  getDeveloper(context).inTurn(async () => sendImpersonated(context, (await fill(context, call)).transaction));

/** The filled transaction, and the payload that its sender would sign. */
async function fill({ chain }: RpcContext, call: CallInput) {
  if (!call.from) throw toInvalidArgument(0, "from: a transaction has a sender");
  const filled = await fillTransaction({ ...chain, calls: chain }, toQuery(call, { tag: "latest" }).call);
  if ("result" in filled) throw toCallFailure(filled.result);
  return { transaction: filled.transaction, payload: filled.raw };
}

function sendImpersonated({ chain }: RpcContext, transaction: UnsignedTransaction): Promise<Hash> {
  const mark = toImpersonationMark(transaction.from);
  return chain.submitImpersonated(encodeSigned(transaction, { ...mark, yParity: 0 }), transaction.from);
}

const shownSnapshots = 20;

export const explorer_getDeveloperState: Handler<"explorer_getDeveloperState"> = async ({
  chain: { devControls: developer },
}) => {
  if (!developer) return null;
  const { settings } = developer;
  const snapshots = await developer.listSnapshots(shownSnapshots);
  return {
    automine: settings.isAutomatic(),
    intervalSeconds: developer.intervalMs() / 1000,
    clock: settings.clock(),
    clockOffset: settings.clockOffset(),
    impersonated: developer.listImpersonated(),
    snapshots: snapshots.map(({ id, block }) => ({ id: toQuantity(id), block: toQuantity(block) })),
  };
};

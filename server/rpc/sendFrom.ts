/**
 * Sends and signs transactions for the node's unlocked accounts: the mnemonic's accounts and impersonated ones.
 */
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { CallInput } from "@/lib/rpc/inputs";
import {
  encodeSigned,
  encodeUnsigned,
  type FillSource,
  fillNonce,
  type PreparedTransaction,
  prepareTransaction,
  type UnsignedTransaction,
} from "@/server/chain/fillTransaction";
import type { DevAccount } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { minBigint } from "@/server/ethereum/bigints";
import { toBigInt, toBytes } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import { signHash } from "@/server/ethereum/codec/signature";
import type { Address, Hash } from "@/server/ethereum/types";
import type { SubmitOptions } from "@/server/ports/chain";
import { toQuery } from "@/server/rpc/callQuery";
import { toCallFailure, toInvalidArgument, toInvalidParams } from "@/server/rpc/errors";
import type { Ports } from "@/server/rpc/ports";

/** The ports needed to send a transaction that the caller didn't sign. */
export const sending = ["devControls", "submission", "calls", "fees", "pool"] as const;

export type Unlocked = { accounts: readonly DevAccount[] };
type Configured = Pick<NetworkConfig, "settings">;
type Sending = Pick<Ports, (typeof sending)[number]> & { network: Unlocked & Configured };

/**
 * Sends a transaction from an unlocked account, by default from the first one, as anvil does. Throws RpcError if the
 * account is locked or the transaction can't be mined.
 */
export async function sendFrom(context: Sending, given: CallInput, options?: SubmitOptions): Promise<Hash> {
  const first = context.network.accounts[0];
  const call = given.from || !first ? given : { ...given, from: first.address };
  const from = getFrom(call);
  if (context.devControls.isImpersonated(from)) return sendImpersonated(context, call, options);
  const account = getAccount(context.network, from);
  return sendInTurn(context, call, (filled) =>
    context.submission.submit(sign(filled, account), { ...options, signer: from }),
  );
}

/** Sends the transaction without a signature. */
export function sendImpersonated(context: Sending, call: CallInput, options?: SubmitOptions): Promise<Hash> {
  return sendInTurn(context, call, (filled) => {
    const mark = toImpersonationMark(filled.from);
    return context.submission.submitImpersonated(encodeSigned(filled, { ...mark, yParity: 0 }), filled.from, options);
  });
}

/**
 * Prepares transactions concurrently, so that they can share a block. They are then sent one at a time in the order of
 * the requests, which gives them consecutive nonces.
 */
function sendInTurn(
  context: Sending,
  call: CallInput,
  send: (filled: UnsignedTransaction) => Promise<Hash>,
): Promise<Hash> {
  const preparing = prepareToSend(context, call);
  // If preparation fails early, the error isn't thrown until it's the transaction's turn. Until then, it must not count
  // as an unhandled rejection.
  preparing.catch(() => undefined);
  return context.devControls.inTurn(async () => send(await fillNonce(context, await preparing)));
}

/** Throws RpcError if the sender is missing. */
export function getFrom({ from }: CallInput): Address {
  if (from) return from;
  throw toInvalidArgument(0, "from is required");
}

/** Throws RpcError if the node has no key for the account. */
export function getAccount({ accounts }: Unlocked, address: Address): DevAccount {
  const account = accounts.find((known) => known.address === address);
  if (account) return account;
  throw toInvalidParams(
    `No Signer available: the node has no key for ${address}. Impersonate it with anvil_impersonateAccount, or sign the transaction and use eth_sendRawTransaction.`,
  );
}

const signers = new WeakMap<DevAccount, PrivateKeyAccount>();

/** Throws RpcError if the node has no key for the account. */
export function getSigner(network: Unlocked, address: Address): PrivateKeyAccount {
  const account = getAccount(network, address);
  const known = signers.get(account) ?? privateKeyToAccount(account.privateKey);
  signers.set(account, known);
  return known;
}

/** Returns the transaction in its consensus encoding, signed by the account. */
export function sign(transaction: UnsignedTransaction, { privateKey }: DevAccount): Uint8Array {
  const { r, s, yParity } = signHash(toBytes(privateKey), keccak(encodeUnsigned(transaction)));
  return encodeSigned(transaction, { r: toBigInt(r), s: toBigInt(s), yParity });
}

/** Fills in every field of the transaction. Throws RpcError if the transaction would fail with any gas limit. */
export async function fill(
  source: FillSource & { network: Configured },
  call: CallInput,
): Promise<UnsignedTransaction> {
  return fillNonce(source, await prepare(source, call));
}

/**
 * Like `prepare`, but if the transaction would revert, gives it the highest possible gas limit, so that it is mined
 * with a failed receipt, as in anvil. Hardhat's node returns the error instead.
 */
async function prepareToSend(source: Sending, call: CallInput): Promise<PreparedTransaction> {
  const { calls, network } = source;
  const { call: request } = toQuery(call, { tag: "latest" });
  const prepared = await prepareTransaction(source, request);
  if (!("result" in prepared)) return prepared;
  if (network.settings.hardhat || prepared.result.failure?.kind !== "revert") {
    throw toCallFailure(prepared.result, network.settings);
  }
  const { gasLimit } = calls.nextEnv();
  const gas = minBigint(gasLimit, calls.spec.transactionGasCap ?? gasLimit);
  return prepare(source, { ...call, gas });
}

async function prepare(source: FillSource & { network: Configured }, call: CallInput): Promise<PreparedTransaction> {
  getFrom(call);
  const prepared = await prepareTransaction(source, toQuery(call, { tag: "latest" }).call);
  if ("result" in prepared) throw toCallFailure(prepared.result, source.network.settings);
  return prepared;
}

/**
 * Sends and signs transactions for the node's unlocked accounts: the mnemonic's accounts and impersonated ones.
 */
import { parseSignature } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { CallInput } from "@/lib/rpc/inputs";
import {
  encodeSigned,
  type FillSource,
  fillTransaction,
  type UnsignedTransaction,
} from "@/server/chain/fillTransaction";
import type { DevAccount } from "@/server/config/devAccounts";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import type { Address, Hash } from "@/server/ethereum/types";
import type { SubmitOptions } from "@/server/ports/chain";
import { toQuery } from "@/server/rpc/callQuery";
import { toCallFailure, toInvalidArgument, toInvalidParams } from "@/server/rpc/errors";
import type { Ports } from "@/server/rpc/ports";

/** The ports that are needed to send a transaction that the caller did not sign. */
export const sending = ["devControls", "submission", "calls", "fees", "pool"] as const;

export type Unlocked = { accounts: readonly DevAccount[] };
type Sending = Pick<Ports, (typeof sending)[number]> & { network: Unlocked };

/** Requests run one after another, so that they get consecutive nonces. */
export function sendFrom(context: Sending, call: CallInput, options?: SubmitOptions): Promise<Hash> {
  return context.devControls.inTurn(async () => {
    const from = getFrom(call);
    if (context.devControls.isImpersonated(from))
      return sendImpersonated(context, (await fill(context, call)).transaction, options);
    const signer = getSigner(context.network, from);
    return context.submission.submit(await sign(await fill(context, call), signer), options);
  });
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

type Filled = { transaction: UnsignedTransaction; payload: Uint8Array };

export async function sign({ transaction, payload }: Filled, signer: PrivateKeyAccount): Promise<Uint8Array> {
  const { r, s, yParity } = parseSignature(await signer.sign({ hash: keccakHex(payload) }));
  return encodeSigned(transaction, { r: BigInt(r), s: BigInt(s), yParity });
}

/** The filled-in transaction and the payload for its sender to sign. */
export async function fill(source: FillSource, call: CallInput): Promise<Filled> {
  getFrom(call);
  const filled = await fillTransaction(source, toQuery(call, { tag: "latest" }).call);
  if ("result" in filled) throw toCallFailure(filled.result);
  return { transaction: filled.transaction, payload: filled.raw };
}

export function sendImpersonated(
  { submission }: Pick<Ports, "submission">,
  transaction: UnsignedTransaction,
  options?: SubmitOptions,
): Promise<Hash> {
  const mark = toImpersonationMark(transaction.from);
  return submission.submitImpersonated(encodeSigned(transaction, { ...mark, yParity: 0 }), transaction.from, options);
}

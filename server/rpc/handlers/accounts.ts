/**
 * The node's unlocked accounts: the mnemonic's accounts, whose keys are public by default, and impersonated ones. They
 * have no funds elsewhere, so messages may be for any chain. Transactions are always for this chain.
 */
import { parseSignature } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Hex } from "@/lib/rpc/codec";
import type { CallInput } from "@/lib/rpc/inputs";
import {
  encodeSigned,
  type FillSource,
  fillTransaction,
  type UnsignedTransaction,
} from "@/server/chain/fillTransaction";
import type { DevAccount } from "@/server/config/devAccounts";
import { toHex } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import type { Address, Hash } from "@/server/ethereum/types";
import { awaitBlock } from "@/server/rpc/awaitBlock";
import { toQuery } from "@/server/rpc/callQuery";
import { toCallFailure, toInvalidArgument, toServerError } from "@/server/rpc/errors";
import { handlers, type Ports } from "@/server/rpc/ports";

/** The ports that are needed to send a transaction that the caller did not sign. */
const sending = ["devControls", "submission", "calls", "fees", "pool"] as const;

type Unlocked = { accounts: readonly DevAccount[] };
type Sending = Pick<Ports, (typeof sending)[number]> & { network: Unlocked };

export const accountsHandlers = {
  ...handlers(["devControls"], {
    eth_accounts: ({ devControls, network }) => [
      ...new Set([...network.accounts.map(({ address }) => address), ...devControls.listImpersonated()]),
    ],

    eth_sign: ({ network }, address, message) => signMessage(network, address, message),
    personal_sign: ({ network }, message, address) => signMessage(network, address, message),

    eth_signTypedData_v4: async ({ network }, address, typedData) => {
      const signer = getSigner(network, address);
      try {
        return await signer.signTypedData(typedData as Parameters<typeof signer.signTypedData>[0]);
      } catch (error) {
        throw toInvalidArgument(1, error instanceof Error ? error.message.split("\n")[0]! : "invalid typed data");
      }
    },
  }),

  ...handlers(sending, {
    eth_signTransaction: async (context, call) => {
      const filled = await fill(context, call);
      return toHex(await sign(filled, getSigner(context.network, filled.transaction.from)));
    },

    eth_sendTransaction: async (context, call) => awaitBlock(context, await send(context, call)),

    eth_sendUnsignedTransaction: async (context, call) => {
      const hash = await context.devControls.inTurn(async () =>
        sendImpersonated(context, (await fill(context, call)).transaction),
      );
      return awaitBlock(context, hash);
    },
  }),
};

/** Requests run one after another until they are in the pool, so that they get consecutive nonces. */
function send(context: Sending, call: CallInput): Promise<Hash> {
  return context.devControls.inTurn(async () => {
    const filled = await fill(context, call);
    const { from } = filled.transaction;
    if (context.devControls.isImpersonated(from)) return sendImpersonated(context, filled.transaction);
    return context.submission.submit(await sign(filled, getSigner(context.network, from)));
  });
}

/** Throws RpcError if the node has no key for the account. */
function getSigner({ accounts }: Unlocked, address: Address): PrivateKeyAccount {
  const account = accounts.find((known) => known.address === address);
  if (account) return privateKeyToAccount(account.privateKey);
  throw toServerError(
    `The node has no key for ${address}: impersonate it with anvil_impersonateAccount, or sign the transaction and use eth_sendRawTransaction.`,
  );
}

/** EIP-191 */
function signMessage(network: Unlocked, address: Address, message: Hex): Promise<Hex> {
  return getSigner(network, address).signMessage({ message: { raw: message } });
}

type Filled = { transaction: UnsignedTransaction; payload: Uint8Array };

async function sign({ transaction, payload }: Filled, signer: PrivateKeyAccount): Promise<Uint8Array> {
  const { r, s, yParity } = parseSignature(await signer.sign({ hash: keccakHex(payload) }));
  return encodeSigned(transaction, { r: BigInt(r), s: BigInt(s), yParity });
}

/** The filled-in transaction and the payload for its sender to sign. */
async function fill(source: FillSource, call: CallInput): Promise<Filled> {
  if (!call.from) throw toInvalidArgument(0, "from is required");
  const filled = await fillTransaction(source, toQuery(call, { tag: "latest" }).call);
  if ("result" in filled) throw toCallFailure(filled.result);
  return { transaction: filled.transaction, payload: filled.raw };
}

function sendImpersonated({ submission }: Pick<Ports, "submission">, transaction: UnsignedTransaction): Promise<Hash> {
  const mark = toImpersonationMark(transaction.from);
  return submission.submitImpersonated(encodeSigned(transaction, { ...mark, yParity: 0 }), transaction.from);
}

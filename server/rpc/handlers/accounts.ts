/**
 * The node's unlocked accounts, which are the mnemonic's accounts and impersonated accounts. Accounts from the public
 * test mnemonic also sign typed data for other chains, because anyone has their keys.
 */
import type { Hex } from "@/lib/rpc/codec";
import { getDevAccount } from "@/server/config/devAccounts";
import { toHex } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import { awaitBlock } from "@/server/rpc/awaitBlock";
import { awaitReceipt } from "@/server/rpc/awaitReceipt";
import { toInvalidArgument } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";
import {
  fill,
  getAccount,
  getFrom,
  getSigner,
  sendFrom,
  sendImpersonated,
  sending,
  sign,
  type Unlocked,
} from "@/server/rpc/sendFrom";

export const accountsHandlers = {
  ...handlers(["devControls"], {
    eth_accounts: ({ devControls, network }) => {
      const impersonated = network.settings.hardhat ? [] : devControls.listImpersonated();
      return [...new Set([...network.accounts.map(({ address }) => address), ...impersonated])];
    },

    eth_sign: ({ network }, address, message) => signMessage(network, address, message),
    personal_sign: ({ network }, message, address) => signMessage(network, address, message),

    eth_signTypedData_v4: async ({ network }, address, typedData) => {
      const { chainId } = typedData.domain;
      if (chainId !== undefined && Number(chainId) !== network.chainId && !isPublic(network, address)) {
        throw toInvalidArgument(
          1,
          `domain.chainId must be ${network.chainId}; only accounts of the public test mnemonic can sign for other chains`,
        );
      }
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
      const account = getAccount(context.network, getFrom(call));
      return toHex(sign(await fill(context, call), account));
    },

    eth_sendTransaction: async (context, call) =>
      awaitBlock(context, await sendFrom(context, call, { isAwaited: true })),

    eth_sendTransactionSync: async (context, call, timeoutMs) =>
      awaitReceipt(context, await sendFrom(context, call), timeoutMs),

    eth_sendUnsignedTransaction: async (context, call) =>
      awaitBlock(context, await sendImpersonated(context, call, { isAwaited: true })),
  }),
};

/** Whether the account comes from the well-known test mnemonic. */
function isPublic(network: Unlocked, address: Address): boolean {
  const { index, privateKey } = getAccount(network, address);
  return getDevAccount(index).privateKey === privateKey;
}

/** EIP-191 */
function signMessage(network: Unlocked, address: Address, message: Hex): Promise<Hex> {
  return getSigner(network, address).signMessage({ message: { raw: message } });
}

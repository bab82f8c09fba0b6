/**
 * An account of a private key as viem makes it, whose transactions are signed by libsecp256k1 in WebAssembly: signing in
 * JavaScript takes milliseconds of the one thread that serves everybody. Both derive the same nonce (RFC 6979), so a
 * transaction has the same bytes whichever signed it.
 */
import { hexToBytes, keccak256, type PrivateKeyAccount, serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Hex } from "@/lib/x402/types";
import { signHash } from "@/server/x402/reads/signature";

/** Throws where the key is none. */
export function createSigningAccount(privateKey: Hex): PrivateKeyAccount {
  const account = privateKeyToAccount(privateKey);
  const key = hexToBytes(privateKey);
  const signTransaction: PrivateKeyAccount["signTransaction"] = async (transaction, options) => {
    // Blobs are signed without their sidecar, and other encodings are other people's: viem knows both.
    if (options?.serializer || transaction.type === "eip4844") return account.signTransaction(transaction, options);
    const { r, s, v } = signHash(key, keccak256(serializeTransaction(transaction)));
    return serializeTransaction(transaction, { r, s, yParity: v - 27, v: BigInt(v) }) as never;
  };
  return { ...account, signTransaction };
}

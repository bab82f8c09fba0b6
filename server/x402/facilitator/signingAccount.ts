/**
 * A viem private-key account that signs transactions with libsecp256k1 in WebAssembly, because signing in JavaScript
 * blocks the event loop for milliseconds. Both libraries use RFC 6979 nonces, so the transaction's bytes are identical.
 */
import { bytesToHex, hexToBytes, type PrivateKeyAccount, serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Hex } from "@/lib/x402/types";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import { signHash } from "@/server/ethereum/codec/signature";

/** Throws if the key is invalid. */
export function createSigningAccount(privateKey: Hex): PrivateKeyAccount {
  const account = privateKeyToAccount(privateKey);
  const key = hexToBytes(privateKey);
  const signTransaction: PrivateKeyAccount["signTransaction"] = async (transaction, options) => {
    // viem still signs two kinds of transactions: blob transactions, because their sidecar isn't part of the signed
    // data, and transactions with a custom serializer.
    if (options?.serializer || transaction.type === "eip4844") return account.signTransaction(transaction, options);
    const { r, s, yParity } = signHash(key, keccak(toBytes(serializeTransaction(transaction))));
    const signature = { r: bytesToHex(r), s: bytesToHex(s), yParity, v: BigInt(27 + yParity) };
    return serializeTransaction(transaction, signature) as never;
  };
  return { ...account, signTransaction };
}

/** Accounts for tests. The public test mnemonic's accounts are funded at genesis on every network of a fresh node. */

import { bytesToHex, type Hex } from "viem";
import { generatePrivateKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** The private key of one of the test mnemonic's accounts 0 to 9. */
export function getFundedKey(addressIndex: number): Hex {
  const key = mnemonicToAccount("test test test test test test test test test test test junk", {
    addressIndex,
  }).getHdKey().privateKey;
  if (!key) throw new Error("No private key could be derived from the mnemonic.");
  return bytesToHex(key);
}

export function getFundedAccount(addressIndex: number): PrivateKeyAccount {
  return privateKeyToAccount(getFundedKey(addressIndex));
}

/** A new account without funds or transactions. */
export function createPoorAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

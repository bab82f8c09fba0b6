/**
 * Accounts for tests. The public test mnemonic's are funded at genesis on every network of a fresh node.
 */

import { bytesToHex, type Hex } from "viem";
import { generatePrivateKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** Key of account 0 to 9 of the test mnemonic. */
export function getFundedKey(addressIndex: number): Hex {
  const key = mnemonicToAccount("test test test test test test test test test test test junk", {
    addressIndex,
  }).getHdKey().privateKey;
  if (!key) throw new Error("The mnemonic gives no private key.");
  return bytesToHex(key);
}

export function getFundedAccount(addressIndex: number): PrivateKeyAccount {
  return privateKeyToAccount(getFundedKey(addressIndex));
}

/** An account that nobody has used and that holds nothing. */
export function createPoorAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/**
 * Accounts of the public test mnemonic that every EVM tool knows. Their keys are public: they hold value on embedded
 * chains only.
 */
import { bytesToHex } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";

const mnemonic = "test test test test test test test test test test test junk";

export type DevAccount = { index: number; address: `0x${string}`; privateKey: `0x${string}` };

const derived = new Map<number, DevAccount>();
/** What all of them descend from: stretching the words takes some 50 ms, which every cold start would pay for each. */
let ancestor: ReturnType<ReturnType<typeof mnemonicToAccount>["getHdKey"]> | undefined;

/** Account m/44'/60'/0'/0/index of the test mnemonic; the address is lowercase. */
export function getDevAccount(index: number): DevAccount {
  let account = derived.get(index);
  if (!account) {
    ancestor ??= mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
    const key = ancestor.deriveChild(index).privateKey;
    if (!key) throw new Error("The mnemonic gives no private key.");
    const privateKey = bytesToHex(key);
    account = { index, address: privateKeyToAddress(privateKey).toLowerCase() as `0x${string}`, privateKey };
    derived.set(index, account);
  }
  return account;
}

/** The ten that are funded at genesis. */
export function listDevAccounts(): DevAccount[] {
  return Array.from({ length: 10 }, (_, index) => getDevAccount(index));
}

/** The default relayer of settlements. */
export const facilitatorIndex = 10;
/** The payee of the demo resources: it starts with nothing, so its balance is what was paid. */
export const merchantIndex = 11;

/**
 * Accounts derived from a mnemonic: by default, the public test mnemonic that EVM tools share. The test mnemonic's keys
 * are public, so its accounts have funds on embedded chains only.
 */
import { createHash } from "node:crypto";
import { bytesToHex } from "viem";
import { english, mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { derivationPath, testMnemonic } from "@/lib/testMnemonic";
import type { NetworkConfig } from "@/server/config/networkConfig";

export type DevAccount = { index: number; address: `0x${string}`; privateKey: `0x${string}` };

/**
 * The accounts that the node itself uses. They are listed here because deriving them on every start would take a tenth
 * of a second.
 */
const known: Pick<DevAccount, "address" | "privateKey">[] = [
  {
    address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  },
  {
    address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  },
  {
    address: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    privateKey: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  },
  {
    address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    privateKey: "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
  },
  {
    address: "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
    privateKey: "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
  },
  {
    address: "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
    privateKey: "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
  },
  {
    address: "0x976ea74026e726554db657fa54763abd0c3a0aa9",
    privateKey: "0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
  },
  {
    address: "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
    privateKey: "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
  },
  {
    address: "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
    privateKey: "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
  },
  {
    address: "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
    privateKey: "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
  },
  {
    address: "0xbcd4042de499d14e55001ccbb24a551f3b954096",
    privateKey: "0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897",
  },
  {
    address: "0x71be63f3384f5fb98995898a86b02fb2426c5788",
    privateKey: "0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82",
  },
];

type Wallet = { parent: ReturnType<ReturnType<typeof mnemonicToAccount>["getHdKey"]>; accounts: DevAccount[] };
const wallets = new Map<string, Wallet>();

/** The account of the test mnemonic at the path m/44'/60'/0'/0/index. The address is lowercase. */
export function getDevAccount(index: number): DevAccount {
  const found = known[index];
  return found ? { index, ...found } : derive(testMnemonic, index);
}

function derive(phrase: string, index: number): DevAccount {
  let wallet = wallets.get(phrase);
  if (!wallet) {
    wallet = { parent: mnemonicToAccount(phrase, { path: derivationPath }).getHdKey(), accounts: [] };
    wallets.set(phrase, wallet);
  }
  let account = wallet.accounts[index];
  if (!account) {
    const key = wallet.parent.deriveChild(index).privateKey;
    if (!key) throw new Error("No private key could be derived from the mnemonic.");
    const privateKey = bytesToHex(key);
    account = { index, address: privateKeyToAddress(privateKey).toLowerCase() as `0x${string}`, privateKey };
    wallet.accounts[index] = account;
  }
  return account;
}

/**
 * The first `count` accounts of a mnemonic. By default, the ten accounts of the test mnemonic that are funded at
 * genesis.
 */
export function listDevAccounts(count = 10, phrase = testMnemonic): DevAccount[] {
  return Array.from({ length: count }, (_, index) =>
    phrase === testMnemonic ? getDevAccount(index) : derive(phrase, index),
  );
}

/** Whether every word is on BIP-39's English list and the checksum in the last word is correct. */
export function isMnemonic(phrase: string): boolean {
  const words = phrase.split(" ");
  const indices = words.map((word) => english.indexOf(word));
  if (indices.includes(-1)) return false;
  const bits = indices.reduce((sum, index) => (sum << 11n) | BigInt(index), 0n);
  const checksumBits = words.length / 3;
  const entropy = Buffer.from((bits >> BigInt(checksumBits)).toString(16).padStart(checksumBits * 8, "0"), "hex");
  const [first = 0] = createHash("sha256").update(entropy).digest();
  return BigInt.asUintN(checksumBits, bits) === BigInt(first >> (8 - checksumBits));
}

export type FundedAccount = { address: `0x${string}` } & Partial<Pick<DevAccount, "index" | "privateKey">>;

/** The accounts that a network funds at genesis. `index` and `privateKey` are set if the key is public. */
export function listFundedAccounts({ funded, accounts }: Pick<NetworkConfig, "funded" | "accounts">): FundedAccount[] {
  const known = new Map(listDevAccounts(Math.max(10, accounts.length)).map((account) => [account.address, account]));
  return funded.map(({ address }) => ({ ...known.get(address.toLowerCase() as `0x${string}`), address }));
}

/** The index of the faucet's account, which also pays for the facilitator's gas on embedded chains. */
export const faucetIndex = 9;
/**
 * The indices of the accounts that the facilitator and the demo resources' payee use if TOLLSCAN_DETERMINISTIC is on.
 */
export const facilitatorIndex = 10;
export const merchantIndex = 11;

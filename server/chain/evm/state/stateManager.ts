/**
 * The overlay in the shape the engine asks for. Holds nothing itself; the engine keeps one manager for its life and is
 * pointed at another overlay for every job.
 */
import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import {
  Account as EngineAccount,
  type Address as EngineAddress,
  KECCAK256_NULL,
  KECCAK256_RLP,
} from "@ethereumjs/util";
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import { emptyCodeHash } from "@/server/chain/codec/hash";
import { type Overlay, zeroWord } from "@/server/chain/evm/state/overlay";
import type { Account, Address, Hash, Hex } from "@/server/chain/types";

export type StateManager = StateManagerInterface & { use(overlay: Overlay): void };

export function createStateManager(): StateManager {
  let overlay: Overlay | undefined;
  const current = (): Overlay => {
    if (!overlay) throw new Error("The engine has no state to work on.");
    return overlay;
  };

  async function getAccount(address: EngineAddress): Promise<EngineAccount | undefined> {
    const key = toAddress(address);
    const account = await current().findAccount(key);
    if (!account) return undefined;
    const engineAccount = toEngineAccount(account);
    // EIP-7610: no contract is created where there are slots. Only an account that could pass for unused is asked.
    const looksUnused = account.nonce === 0n && account.codeHash === emptyCodeHash;
    if (looksUnused && (await current().hasStorage(key))) engineAccount.storageRoot = someStorage;
    return engineAccount;
  }

  async function modifyAccountFields(address: EngineAddress, fields: AccountFields): Promise<void> {
    const account = (await getAccount(address)) ?? new EngineAccount();
    account.nonce = fields.nonce ?? account.nonce;
    account.balance = fields.balance ?? account.balance;
    account.codeHash = fields.codeHash ?? account.codeHash;
    current().putAccount(toAddress(address), fromEngineAccount(account));
  }

  async function getCode(address: EngineAddress): Promise<Uint8Array> {
    const account = await current().findAccount(toAddress(address));
    return account ? current().getCode(account.codeHash) : new Uint8Array(0);
  }

  return {
    use(next) {
      overlay = next;
    },
    getAccount,
    async putAccount(address, account) {
      current().putAccount(toAddress(address), account && fromEngineAccount(account));
    },
    async deleteAccount(address) {
      current().clearStorage(toAddress(address));
      current().putAccount(toAddress(address), undefined);
    },
    modifyAccountFields,
    async putCode(address, code) {
      await modifyAccountFields(address, { codeHash: toBytes(current().addCode(code)) });
    },
    getCode,
    getCodeSize: async (address) => (await getCode(address)).length,
    getStorage: async (address, key) => toUnpadded(await current().getSlot(toAddress(address), toHex(key))),
    async putStorage(address, key, value) {
      current().putSlot(toAddress(address), toHex(key), toPadded(value));
    },
    async clearStorage(address) {
      current().clearStorage(toAddress(address));
    },
    checkpoint: async () => current().checkpoint(),
    commit: async () => current().commit(),
    revert: async () => current().revert(),
    originalStorageCache: {
      get: async (address, key) => toUnpadded(await current().getOriginalSlot(toAddress(address), toHex(key))),
      clear: () => current().beginTransaction(),
    },
    clearCaches() {},
    getStateRoot: () => Promise.reject(new Error("Roots are made beside the engine.")),
    setStateRoot: () => Promise.reject(new Error("Roots are made beside the engine.")),
    hasStateRoot: () => Promise.reject(new Error("Roots are made beside the engine.")),
    shallowCopy() {
      throw new Error("The state of a job is not copied.");
    },
  };
}

/** A storage root that is not the empty one; the engine asks for no more of it. */
const someStorage = new Uint8Array(32).fill(1);

export function toEngineAccount(account: Account): EngineAccount {
  const codeHash = account.codeHash === emptyCodeHash ? KECCAK256_NULL : toBytes(account.codeHash);
  return new EngineAccount(account.nonce, account.balance, KECCAK256_RLP, codeHash);
}

function fromEngineAccount(account: EngineAccount): Account {
  return { nonce: account.nonce, balance: account.balance, codeHash: toHex(account.codeHash) };
}

function toAddress(address: EngineAddress): Address {
  return toHex(address.bytes);
}

/** The engine's words of storage have no leading zeros. */
function toUnpadded(word: Hash): Uint8Array {
  if (word === zeroWord) return new Uint8Array(0);
  const bytes = toBytes(word);
  let start = 0;
  while (bytes[start] === 0) start++;
  return bytes.subarray(start);
}

function toPadded(bytes: Uint8Array): Hash {
  const hex: Hex = toHex(bytes);
  return `0x${hex.slice(2).padStart(64, "0")}`;
}

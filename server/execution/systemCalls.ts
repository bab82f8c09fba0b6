/**
 * What executing a block involves besides its transactions: system calls, withdrawals, requests to the beacon chain
 * and, before the merge, rewards. If a system contract isn't deployed, it is skipped.
 */
import { createHash } from "node:crypto";
import { toBigInt, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { InvalidBlockError } from "@/server/ethereum/errors";
import { toRewards } from "@/server/ethereum/fees";
import { emptyAccount } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import type { Address, Hash, Header, Log, Receipt, Withdrawal } from "@/server/ethereum/types";
import { type Engine, putTouched, removeAccount } from "@/server/execution/engine";

/** The caller of system contracts (EIP-4788, 7002 and others), with its own gas budget. */
const systemAddress: Address = "0xfffffffffffffffffffffffffffffffffffffffe";
const systemGas = 30_000_000n;
/** EIP-4788 */
const beaconRoots: Address = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
/** EIP-2935 */
const historyStorage: Address = "0x0000f90827f1c53a10cb7a02335b175320002935";
/** EIP-7002, request type 1, and EIP-7251, request type 2 */
const withdrawalRequests: Address = "0x00000961ef480eb55e80d19ad83579a64c007002";
const consolidationRequests: Address = "0x0000bbddc7ce488642fb579f8b00f3a590007251";

const systemContracts: readonly Address[] = [beaconRoots, historyStorage, withdrawalRequests, consolidationRequests];

export const isSystemContract = (address: Address): boolean => systemContracts.includes(address);

/** Runs before the first transaction. Writes the parent beacon root and parent hash to their ring buffers. */
export async function startBlock(engine: Engine): Promise<void> {
  const { env } = engine;
  if (engine.has("cancun") && env.parentBeaconBlockRoot !== undefined) {
    await callSystem(engine, beaconRoots, toBytes(env.parentBeaconBlockRoot));
  }
  if (engine.has("prague")) await callSystem(engine, historyStorage, toBytes(env.parentHash));
}

/** EIP-4895: adds each amount in gwei to the recipient's balance. */
export async function applyWithdrawals(engine: Engine, withdrawals: readonly Withdrawal[]): Promise<void> {
  for (const { address, amount } of withdrawals) await addBalance(engine, address, amount * 1_000_000_000n);
}

/** EIP-7685: the hash of the block's requests, ordered by type. Types without requests are omitted. */
export async function toRequestsHash(engine: Engine, receipts: readonly Receipt[]): Promise<Hash> {
  const requests = [
    toDeposits(engine, receipts),
    await callSystem(engine, withdrawalRequests, new Uint8Array(0)),
    await callSystem(engine, consolidationRequests, new Uint8Array(0)),
  ];
  const outer = createHash("sha256");
  for (const [type, data] of requests.entries()) {
    if (data.length > 0) outer.update(createHash("sha256").update(Uint8Array.of(type)).update(data).digest());
  }
  return toHex(outer.digest());
}

/**
 * Yellow Paper 11.3: pays the rewards to the block's producer and to its ommers' producers. EIP-649 and EIP-1234
 * lowered the rewards.
 */
export async function payRewards(engine: Engine, ommers: readonly Header[]): Promise<void> {
  const { spec, env } = engine;
  const rewards = toRewards(spec, env, ommers);
  for (const { coinbase, reward } of rewards.ommers) await addBalance(engine, coinbase, reward);
  await addBalance(engine, env.coinbase, rewards.producer);
}

async function addBalance(engine: Engine, address: Address, wei: bigint): Promise<void> {
  const account = (await engine.overlay.findAccount(address)) ?? emptyAccount;
  putTouched(engine, address, { ...account, balance: account.balance + wei });
}

/** Calls a system contract and returns its output, which is empty if the contract isn't deployed. */
async function callSystem(engine: Engine, to: Address, data: Uint8Array): Promise<Uint8Array> {
  const account = await engine.overlay.findAccount(to);
  if (!account || account.codeHash === emptyCodeHash) return new Uint8Array(0);
  const message = {
    caller: systemAddress,
    to,
    isCreate: false,
    value: 0n,
    gas: systemGas,
    input: toHex(data),
    gasPrice: 0n,
    warm: [],
    isFree: false,
  };
  const { failure, output, accounts } = await untilComplete(() => engine.run(message));
  for (const { address, isDestructed } of accounts) if (isDestructed) removeAccount(engine, address);
  if (failure !== 0) throw new InvalidBlockError(`The call to the system contract ${to} failed.`);
  return output;
}

/** The keccak hash of DepositEvent(bytes,bytes,bytes,bytes,bytes) (EIP-6110). */
const depositTopic = "0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";
/** The sizes in bytes of the public key, withdrawal credentials, amount, signature and index. */
const depositFields = [48, 32, 8, 96, 8];

function toDeposits(engine: Engine, receipts: readonly Receipt[]): Uint8Array {
  const { depositContract } = engine.spec;
  if (depositContract === undefined) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  for (const { logs } of receipts) {
    for (const log of logs) {
      if (log.address === depositContract && log.topics[0] === depositTopic) parts.push(...toDepositFields(log));
    }
  }
  return Buffer.concat(parts);
}

/** The event's five fields, which are ABI-encoded: first all offsets, then each field's length and padded bytes. */
function toDepositFields(log: Log): Uint8Array[] {
  const data = toBytes(log.data);
  let expected = 32 * depositFields.length;
  const fields = depositFields.map((size, index) => {
    const offset = toBigInt(data.subarray(32 * index, 32 * index + 32));
    const start = Number(offset) + 32;
    if (offset !== BigInt(expected) || toBigInt(data.subarray(start - 32, start)) !== BigInt(size)) {
      throw new InvalidBlockError("A deposit event in the block doesn't have the layout of EIP-6110.");
    }
    expected += 32 + Math.ceil(size / 32) * 32;
    return data.subarray(start, start + size);
  });
  if (data.length !== expected) {
    throw new InvalidBlockError("A deposit event in the block doesn't have the layout of EIP-6110.");
  }
  return fields;
}

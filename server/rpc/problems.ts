/**
 * Finds a network's problems. Each problem has a code for programs, and a description and a fix for people. Checks
 * never reject, and take at most `checkMs`, because load balancers wait for them.
 */
import type { Network } from "@/lib/networks";
import { plural } from "@/lib/plural";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatUnits } from "@/lib/units";
import type { Address } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";

type Problem = RpcResult<"explorer_getHealth">["problems"][number];
export type Problems = {
  find(): Promise<Problem[]>;
  /** Sets the accounts that pay for the gas of settlements. They aren't known until the network is open. */
  watchRelayers(accounts: readonly string[]): void;
};
type Check = () => Problem | undefined | Promise<Problem | undefined>;

const checkMs = 3_000;
/**
 * Failures shorter than this are not reported, because block production also fails briefly while it isolates a faulty
 * transaction.
 */
const patienceMs = 10_000;
/**
 * With less than `fullBytes` free, the disk counts as full, because a commit needs up to a few megabytes. With less
 * than `lowBytes` free, it counts as low, because the write-ahead log grows to 64 MiB before it is reused.
 */
const fullBytes = 8 * 2 ** 20;
const lowBytes = 256 * 2 ** 20;
/**
 * How long a write that failed for lack of space is reported. Meanwhile, load balancers send no traffic to this
 * instance, so no new write would show that there is space again.
 */
const rememberFullMs = 60_000;
/** The most gas that a single settlement may need. */
const settlementGas = 200_000n;

export function createProblems(checks: readonly Check[], gas: GasSource): Problems {
  let accounts: readonly Address[] = [];
  return {
    async find() {
      const found = await Promise.all([...checks.map((check) => check()), findEmptyRelayer(gas, accounts)]);
      return found.filter((problem) => problem !== undefined);
    },
    watchRelayers(addresses) {
      accounts = addresses.map((address) => address.toLowerCase() as Address);
    },
  };
}

export function checkStore(store: Pick<Store, "findVersions" | "isShared">): Check {
  return async () => {
    const { ok } = await within(checkMs, () => store.findVersions());
    if (ok) return undefined;
    return {
      code: "store_unreachable",
      severity: "down",
      message: "The database is not responding.",
      fix: store.isShared
        ? "Check that Postgres is running and that DATABASE_URL points to it."
        : "Check that the data folder still exists and can be read.",
    };
  };
}

export function checkDisk(store: Pick<Store, "findFreeSpace" | "findFullAt">): Check {
  return async () => {
    const fullAt = store.findFullAt();
    if (fullAt !== undefined && Date.now() - fullAt < rememberFullMs) return storeFull;
    const { value: free } = await within(checkMs, () => store.findFreeSpace());
    if (free === undefined || free >= lowBytes) return undefined;
    if (free < fullBytes) return storeFull;
    return {
      code: "disk_low",
      severity: "degraded",
      message: `Only ${formatBytes(free)} of disk space is left.`,
      fix: "Free up space: once the disk is full, no more blocks or payments can be written.",
    };
  };
}

const storeFull: Problem = {
  code: "store_full",
  severity: "down",
  message: "The database's disk is full: transactions and payments cannot be written.",
  fix: "Free up space or move the data to a larger disk. After that, pending transactions are mined automatically.",
};

/** `findFailure` returns the time at which block production began to fail, or undefined if it isn't failing. */
export function checkBlocks(findFailure: () => number | undefined): Check {
  return () => {
    const sinceMs = findFailure();
    if (sinceMs === undefined || Date.now() - sinceMs < patienceMs) return undefined;
    return {
      code: "commits_failing",
      severity: "down",
      message: `No block has been committed for ${toSeconds(sinceMs)}. Pending transactions are waiting.`,
      fix: "See the server log for the cause. The node keeps trying.",
    };
  };
}

export function checkIndex(head: () => { number: number }, store: Pick<Store, "findReadModelEnd">): Check {
  return async () => {
    // Reads the head before the index. In the opposite order, a block that is added between the two reads would make
    // the index seem behind.
    const { number } = head();
    const { value: end = number + 1 } = await within(checkMs, () => store.findReadModelEnd());
    const behind = number + 1 - end;
    if (behind <= 0) return undefined;
    return {
      code: "index_behind",
      severity: "degraded",
      message: `The index is ${behind} ${plural(behind, "block")} behind: lists and balances on pages are outdated.`,
      fix: "Restart the node to complete the index.",
    };
  };
}

/** `findSilence` returns the time of the oldest request that the remote node hasn't answered. */
export function checkRemoteNode(findSilence: () => number | undefined): Check {
  return () => {
    const sinceMs = findSilence();
    if (sinceMs === undefined || Date.now() - sinceMs < patienceMs) return undefined;
    return {
      code: "remote_node_silent",
      severity: "down",
      message: `The remote node has not responded for ${toSeconds(sinceMs)}. Payments fail and pages may be outdated.`,
      fix: "Check that the node is running and reachable from this server, and that its URL is correct.",
    };
  };
}

export type GasSource = {
  network: Pick<Network, "nativeCurrency">;
  findBalance(account: Address): Promise<bigint>;
  findGasPrice(): Promise<bigint>;
  /** Accounts with less than this are topped up before they pay. */
  findReserve?(): Promise<bigint>;
};

async function findEmptyRelayer(source: GasSource, accounts: readonly Address[]): Promise<Problem | undefined> {
  if (accounts.length === 0) return undefined;
  const { value } = await within(checkMs, async () => {
    const neededWei = settlementGas * (await source.findGasPrice());
    if (((await source.findReserve?.()) ?? 0n) >= neededWei) return [];
    const balances = await Promise.all(accounts.map((account) => source.findBalance(account)));
    return accounts.map((account, index) => ({ account, balanceWei: balances[index]!, neededWei }));
  });
  const short = value?.find(({ balanceWei, neededWei }) => balanceWei < neededWei);
  if (!short) return undefined;
  const { symbol, decimals } = source.network.nativeCurrency;
  const toText = (wei: bigint) => `${formatUnits(wei, decimals)} ${symbol}`;
  return {
    code: "relayer_out_of_gas",
    severity: "degraded",
    message: `The facilitator's account ${short.account} has ${toText(short.balanceWei)}, which doesn't cover the gas for a settlement, so payments fail.`,
    fix: `Send at least ${toText(short.neededWei)} to ${short.account}.`,
  };
}

function toSeconds(sinceMs: number): string {
  const seconds = Math.round((Date.now() - sinceMs) / 1000);
  return `${seconds} ${plural(seconds, "second")}`;
}

/** Runs the work. `ok` is false if the work rejects or takes too long. */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<{ ok: boolean; value?: T }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ ok: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false }), ms);
  });
  const done = work().then(
    (value) => ({ ok: true, value }),
    () => ({ ok: false }),
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

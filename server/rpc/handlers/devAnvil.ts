import { toQuantity } from "@/lib/units";
import packageJson from "@/package.json" with { type: "json" };
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { activeFork } from "@/server/ethereum/forks";
import { toDevClientVersion } from "@/server/rpc/clientVersion";
import { encodeBlock } from "@/server/rpc/encode";
import { toInvalidArgument, toInvalidParams } from "@/server/rpc/errors";
import { handlers, type Ports } from "@/server/rpc/ports";
import { done, mine } from "@/server/rpc/runControl";
import { sendFrom, sending } from "@/server/rpc/sendFrom";
import { readStateDump, writeStateDump } from "@/server/rpc/stateDump";
import { setTokenValue } from "@/server/rpc/tokenSlot";

const shownSnapshots = 1_000;

export const devAnvilHandlers = {
  ...handlers(["devControls"], {
    anvil_getIntervalMining: ({ devControls }) => devControls.intervalMs() / 1000 || null,
    anvil_removePoolTransactions: ({ devControls }, sender) => done(devControls.dropSender(sender)),
    anvil_rollback: ({ devControls }, depth) => done(devControls.rollback(depth)),
    anvil_setLoggingEnabled: ({ devControls }, enabled) => done(devControls.setLogging(enabled)),

    anvil_setRpcUrl: () => null,
    anvil_setMinGasPrice: () => {
      throw toInvalidParams("anvil_setMinGasPrice is not supported when EIP-1559 is active");
    },

    anvil_loadState: async ({ devControls }, state) => {
      await devControls.load(await readStateDump(toBytes(state)));
      return true as const;
    },
  }),

  ...handlers(["devControls", "calls"], {
    anvil_dumpState: async ({ calls }) => toHex(await writeStateDump(calls.store)),

    evm_mine_detailed: async ({ devControls, calls }, options) => {
      const before = calls.head().number;
      await mine(devControls, options ?? {});
      const numbers = Array.from({ length: calls.head().number - before }, (_, index) => before + 1 + index);
      const blocks = await Promise.all(numbers.map((number) => calls.store.findBlock(number)));
      return blocks.flatMap((block) => (block ? [encodeBlock(block, true)] : []));
    },

    /** Calls run one after another, because each reads the balance and then writes it. */
    anvil_addBalance: ({ devControls, calls }, address, amount) =>
      devControls.inTurn(async () => {
        const account = await calls.store.findAccount(address, calls.head().number);
        await devControls.edit([{ address, balance: (account?.balance ?? 0n) + amount }]);
        return null;
      }),

    anvil_dealERC20: (context, account, token, units) =>
      done(setTokenValue(context, token, { name: "balanceOf", args: [account] }, units)),

    anvil_setERC20Allowance: (context, owner, spender, token, units) =>
      done(setTokenValue(context, token, { name: "allowance", args: [owner, spender] }, units)),

    anvil_getGenesisTime: async ({ calls }) => (await calls.getHeader({ tag: "earliest" })).timestamp,

    anvil_metadata: async ({ devControls, calls, network }) => {
      const { number, hash } = calls.head();
      return {
        clientVersion: toDevClientVersion(network.settings),
        clientSemver: packageJson.version,
        chainId: calls.spec.chainId,
        instanceId: devControls.instanceId(),
        latestBlockNumber: number,
        latestBlockHash: hash,
        forkedNetwork: null,
        snapshots: await listSnapshots({ devControls, calls }),
      };
    },
  }),

  ...handlers(["devControls", "calls", "fees"], {
    anvil_nodeInfo: async ({ calls, fees, network }) => {
      const { number, timestamp, hash } = calls.head();
      const next = calls.nextEnv();
      const fork = activeFork(calls.spec, next);
      return {
        currentBlockNumber: toQuantity(number),
        currentBlockTimestamp: timestamp,
        currentBlockHash: hash,
        hardFork: fork[0]!.toUpperCase() + fork.slice(1),
        transactionOrder: network.settings.order ?? "fees",
        environment: {
          baseFee: toQuantity(next.baseFeePerGas ?? 0n),
          chainId: calls.spec.chainId,
          gasLimit: toQuantity(next.gasLimit),
          gasPrice: toQuantity(await fees.suggestGasPrice()),
        },
        forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
      };
    },
  }),

  ...handlers(sending, {
    anvil_reorg: async (context, depth, given) => {
      const transactions = given ?? [];
      const beyond = transactions.find(([, index]) => index >= depth);
      if (beyond)
        throw toInvalidArgument(1, `block index ${beyond[1]} must be below the depth of the reorg, which is ${depth}`);
      await context.devControls.reorg(depth, async (index) => {
        for (const [transaction, block] of transactions) {
          if (block !== index) continue;
          if (typeof transaction === "string") await context.submission.submit(toBytes(transaction));
          else await sendFrom(context, transaction);
        }
      });
      return null;
    },
  }),
};

async function listSnapshots({ devControls, calls }: Pick<Ports, "devControls" | "calls">) {
  const snapshots = await devControls.listSnapshots(shownSnapshots);
  const entries = snapshots.map(async ({ id, block }) => {
    const header = await calls.store.findHeader(block);
    return header ? [[toQuantity(id), [block, header.hash] as [number, typeof header.hash]] as const] : [];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

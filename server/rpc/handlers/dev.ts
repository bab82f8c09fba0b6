/** Dev controls, which test suites use to change the chain that they run on. */
import { toQuantity } from "@/lib/units";
import { toInvalidArgument } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";
import { done, mine } from "@/server/rpc/runControl";

const shownSnapshots = 20;

export const devHandlers = {
  ...handlers(["devControls", "calls"], {
    anvil_setNonce: async ({ devControls, calls, network }, address, nonce) => {
      if (nonce >= 2n ** 64n - 1n) throw toInvalidArgument(1, "nonce must be below 2^64 - 1 (EIP-2681)");
      const account = network.settings.hardhat && (await calls.store.findAccount(address, calls.head().number));
      if (account && nonce < account.nonce) {
        throw toInvalidArgument(1, `new nonce ${nonce} must not be smaller than the existing nonce ${account.nonce}`);
      }
      await devControls.edit([{ address, nonce }]);
      return null;
    },
  }),

  ...handlers(["devControls"], {
    anvil_mine: ({ devControls }, blocks, interval) => done(devControls.mine(blocks, interval)),

    evm_mine: async ({ devControls }, given) => {
      await mine(devControls, typeof given === "object" && given !== null ? given : { timestamp: given });
      return "0x0" as const;
    },

    evm_setAutomine: ({ devControls }, enabled) => {
      // Automine and interval mining are mutually exclusive, as in anvil.
      if (enabled) devControls.setIntervalMining(0);
      devControls.setAutomatic(enabled);
      return null;
    },

    anvil_getAutomine: ({ devControls }) => devControls.settings.isAutomatic(),

    evm_setIntervalMining: ({ devControls, network }, interval) => {
      const milliseconds = network.settings.hardhat ? interval : interval * 1000;
      if (milliseconds > 86_400_000) throw toInvalidArgument(0, "interval must be at most one day");
      if (milliseconds > 0) devControls.setAutomatic(false);
      devControls.setIntervalMining(milliseconds);
      return null;
    },

    evm_increaseTime: ({ devControls }, seconds) => devControls.increaseTime(seconds),
    evm_setTime: ({ devControls }, timestamp) => devControls.setTime(timestamp),
    evm_setNextBlockTimestamp: ({ devControls }, timestamp) => done(devControls.setNextTimestamp(timestamp)),

    anvil_setBlockTimestampInterval: ({ devControls }, seconds) => done(devControls.setTimestampInterval(seconds)),

    anvil_removeBlockTimestampInterval: ({ devControls }) => devControls.setTimestampInterval(undefined),
    anvil_setNextBlockBaseFeePerGas: ({ devControls }, wei) => done(devControls.setNextBaseFee(wei)),

    evm_setBlockGasLimit: ({ devControls }, gas) => {
      devControls.setGasLimit(gas);
      return true;
    },

    anvil_setCoinbase: ({ devControls }, address) => done(devControls.setCoinbase(address)),
    hardhat_setPrevRandao: ({ devControls }, prevRandao) => done(devControls.setNextPrevRandao(prevRandao)),
    anvil_setBalance: ({ devControls }, address, balance) => done(devControls.edit([{ address, balance }])),
    anvil_setCode: ({ devControls }, address, code) => done(devControls.edit([{ address, code }])),

    anvil_setStorageAt: async ({ devControls }, address, slot, value) => {
      await devControls.edit([{ address, slots: [{ slot, value }] }]);
      return true;
    },

    anvil_impersonateAccount: ({ devControls }, address) => done(devControls.impersonate(address, true)),
    anvil_stopImpersonatingAccount: ({ devControls }, address) => done(devControls.impersonate(address, false)),
    anvil_autoImpersonateAccount: ({ devControls }, enabled) => done(devControls.impersonateAll(enabled)),
    anvil_dropTransaction: async ({ devControls }, hash) => ((await devControls.drop(hash)) ? hash : null),
    hardhat_dropTransaction: ({ devControls }, hash) => devControls.drop(hash),
    anvil_dropAllTransactions: ({ devControls }) => done(devControls.dropAll()),
    evm_snapshot: async ({ devControls }) => toQuantity(await devControls.snapshot()),
    evm_revert: ({ devControls }, id) => devControls.revert(id),

    anvil_reset: async ({ devControls }, forking) => {
      const fork = forking && "forking" in forking ? forking.forking : undefined;
      if (typeof fork === "object" && fork !== null && "jsonRpcUrl" in fork && fork.jsonRpcUrl) {
        throw toInvalidArgument(0, "forking is not supported; to reset to genesis, omit the forking option");
      }
      await devControls.reset();
      return null;
    },

    explorer_getDeveloperState: async ({ devControls }) => {
      const { settings } = devControls;
      const snapshots = await devControls.listSnapshots(shownSnapshots);
      return {
        automine: settings.isAutomatic(),
        intervalSeconds: devControls.intervalMs() / 1000,
        clock: settings.clock(),
        clockOffset: settings.clockOffset(),
        impersonated: devControls.listImpersonated(),
        snapshots: snapshots.map(({ id, block }) => ({ id: toQuantity(id), block: toQuantity(block) })),
      };
    },
  }),
};

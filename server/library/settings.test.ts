/** Tests the options of createTollscan, and the variables that they set. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "@/server/config/config";
import { nameOptions, optionNames, toSettings } from "@/server/library/settings";
import type { TollscanOptions } from "@/server/library/types";

const folder = mkdtempSync(join(tmpdir(), "tollscan-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("toSettings", () => {
  it("has the options of the command", () => {
    const typed = {
      ...{ networks: true, port: true, host: true, pages: true, limits: true },
      ...{ state: true, loadState: true, dumpState: true, labels: true },
      ...{ mnemonic: true, accounts: true, balance: true, timestamp: true, hardfork: true, baseFee: true },
      ...{ blockTime: true, mixedMining: true, noMining: true, order: true, gasLimit: true },
      ...{ hardhat: true, priorityFee: true, clientName: true },
      ...{ codeSizeLimit: true, disableCodeSizeLimit: true, disableTxGasLimit: true },
    } satisfies Record<keyof TollscanOptions, true>;
    expect(Object.keys(typed).sort()).toEqual([...optionNames].sort());
  });

  it("turns options into the variables that they set", () => {
    const options = { networks: ["testnet", "base"], port: 5000, noMining: true, baseFee: 7n };
    const settings = toSettings({ ...options, limits: { callGas: 30_000n } }, folder);
    expect(settings).toMatchObject({
      TOLLSCAN_NETWORKS: "testnet,base",
      PORT: "5000",
      TOLLSCAN_NO_MINING: "on",
      TOLLSCAN_BASE_FEE: "7",
      TOLLSCAN_LIMIT_CALL_GAS: "30000",
      TOLLSCAN_DETERMINISTIC: "on",
      TOLLSCAN_DEVELOPER: "on",
    });
  });

  it("picks a free port unless the options name one", () => {
    expect(toSettings({}, folder).PORT).toBe("0");
  });

  it("writes a file with networks that change a preset", () => {
    const funded = [{ address: `0x${"ab".repeat(20)}`, balanceWei: 5n, tokenUnits: "7" }] as const;
    const changed = { preset: "base", label: "Two", gasLimit: 30_000_000n, funded };
    const settings = toSettings({ networks: ["testnet", changed], order: "fifo" }, folder);
    const { networks } = loadConfig(settings, "/");
    expect(networks.map(({ name, label }) => [name, label])).toEqual([
      ["testnet", "Testnet"],
      ["base", "Two"],
    ]);
    expect(networks[1]?.funded).toEqual([{ address: funded[0].address, balanceWei: 5n, tokenUnits: 7n }]);
    expect(networks.map((network) => network.settings)).toEqual([
      { order: "fifo" },
      { order: "fifo", gasLimit: 30_000_000n },
    ]);
    expect(readFileSync(settings.TOLLSCAN_NETWORKS ?? "", "utf8")).toContain('"preset":"testnet"');
  });

  it("rejects unknown options and limits, and options that can't be combined", () => {
    const options = { blockTimes: 1 } as TollscanOptions;
    expect(() => toSettings(options, folder)).toThrow(
      "blockTimes is not an option of createTollscan; the options are ",
    );
    const limits = { callGass: 1 } as TollscanOptions["limits"] & object;
    expect(() => toSettings({ limits }, folder)).toThrow("limits.callGass is not a known limit.");
    const mnemonic = "a phrase";
    expect(() => toSettings({ pages: true, mnemonic }, folder)).toThrow("mnemonic can't be combined with pages.");
    expect(() => toSettings({ networks: [] }, folder)).toThrow("The networks option must list at least one network.");
  });
});

describe("nameOptions", () => {
  it("refers to options instead of variables", () => {
    expect(nameOptions('PORT must be a whole number, but is "x".', folder)).toBe(
      'port must be a whole number, but is "x".',
    );
    expect(nameOptions("TOLLSCAN_LIMIT_CALL_GAS is wrong.", folder)).toBe("limits.callGas is wrong.");
  });

  it("leaves out the name of the file with the networks", () => {
    const settings = toSettings({ networks: [{ preset: "base", chainId: -1 }] }, folder);
    let message = "";
    try {
      loadConfig(settings, "/");
    } catch (error) {
      message = (error as Error).message;
    }
    expect(nameOptions(message, folder)).toMatch(/^networks is invalid at 0\.chainId: /);
  });
});

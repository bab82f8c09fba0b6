/** The name and version of this program and its runtime. */
import packageJson from "@/package.json" with { type: "json" };
import type { NetworkConfig } from "@/server/config/networkConfig";

export const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

/**
 * Test helpers of Hardhat and other tools work only with nodes whose client version starts with a name that they
 * recognize.
 */
export function toDevClientVersion({ clientName, hardhat }: NetworkConfig["settings"]): string {
  return `${clientName ?? (hardhat ? "HardhatNetwork" : "anvil-compatible")}/${clientVersion}`;
}

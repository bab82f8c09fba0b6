/** The name and version of this program and its runtime. */
import packageJson from "@/package.json" with { type: "json" };

export const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

/** Test helpers of Hardhat and other tools work only with nodes whose name begins with a name that they know. */
export const toDevClientVersion = (name = "anvil-compatible"): string => `${name}/${clientVersion}`;

/**
 * The settings of chains that run in this node, with the names that anvil uses. A networks file may set them for each
 * network, with the option's name in camelCase as the key. Plain JavaScript that only uses Node builtins, like
 * environment.mjs.
 */
import { ConfigError, toInteger, toSwitch } from "./settingValues.mjs";

const hardforks = ["london", "paris", "shanghai", "cancun", "prague", "osaka"];

/** @param {string} text a BIP-39 phrase, which error messages never contain @param {string} name */
function toMnemonic(text, name) {
  const words = text.toLowerCase().split(/\s+/);
  if ([12, 15, 18, 21, 24].includes(words.length) && words.every((word) => /^[a-z]+$/.test(word)))
    return words.join(" ");
  throw new ConfigError(`${name} must be a BIP-39 phrase of 12, 15, 18, 21 or 24 English words.`);
}

/** @param {string} text native tokens, with up to 18 decimals @param {string} name @returns {bigint} in wei */
function toBalance(text, name) {
  const [, whole, fraction = ""] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole !== undefined) return BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, "0"));
  throw new ConfigError(`${name} must be a decimal number of native tokens, such as 10000, but is "${text}".`);
}

/** @param {string} text in seconds @param {string} name @returns {number} in milliseconds */
function toMilliseconds(text, name) {
  const milliseconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : 0;
  if (milliseconds > 0 && milliseconds <= 86_400_000) return milliseconds;
  throw new ConfigError(`${name} must be a number of seconds from 0.001 to 86400, but is "${text}".`);
}

/** @param {string} text @param {string} name @param {string[]} words */
function toWord(text, name, words) {
  if (words.includes(text)) return text;
  throw new ConfigError(`${name} must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, but is "${text}".`);
}

/** @param {string} option */
const toField = (option) => option.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());

/**
 * @template T @typedef {(text: string, name: string) => T} Read
 */

/**
 * A row of the table. An option without an `example` takes no value and turns the variable on.
 * @template T
 * @param {string} option
 * @param {{ short?: string; value?: string; example?: string; fallback?: string; whenUnset?: string; meaning: string; read: Read<T> }} row
 */
const toRow = (option, { fallback = "", ...row }) => ({
  name: `TOLLSCAN_${option.replaceAll("-", "_").toUpperCase()}`,
  option,
  field: toField(option),
  fallback,
  ...row,
});

/** A row whose variable is on or off. @param {string} option @param {string} meaning */
const toSwitchRow = (option, meaning) => toRow(option, { fallback: "off", meaning, read: toSwitch });

export const chainVariables = [
  toRow("mnemonic", {
    short: "m",
    value: "phrase",
    example: '"test test test test test test test test test test test junk"',
    whenUnset: "the public test mnemonic",
    meaning:
      "Mnemonic of the funded test accounts. Never use one that controls real funds. The keys are shown only if it is the public test mnemonic",
    read: toMnemonic,
  }),
  toRow("accounts", {
    short: "a",
    value: "number",
    example: "20",
    whenUnset: "10, or 20 with --hardhat",
    meaning: "How many of the mnemonic's accounts to fund and unlock",
    read: (text, name) => toInteger(text, name, 1, 1_000),
  }),
  toRow("balance", {
    value: "amount",
    example: "10000",
    fallback: "10000",
    meaning: "Balance of each funded account at genesis, in whole native tokens",
    read: toBalance,
  }),
  toRow("block-time", {
    short: "b",
    value: "seconds",
    example: "2",
    whenUnset: "a block as soon as a transaction is pending",
    meaning: "Seconds between blocks, which are built even if they are empty. Not available with DATABASE_URL",
    read: toMilliseconds,
  }),
  toSwitchRow("mixed-mining", "With a block time, also build a block as soon as a transaction is pending"),
  toSwitchRow("no-mining", "Build blocks only on request, as with evm_mine. Not available with DATABASE_URL"),
  toRow("order", {
    value: "order",
    example: "fifo",
    fallback: "fees",
    meaning: "Order of transactions in a block: fees (highest tip first) or fifo (oldest first)",
    read: (text, name) => toWord(text, name, ["fees", "fifo"]),
  }),
  toRow("timestamp", {
    value: "seconds",
    example: "1735689600",
    whenUnset: "the system's time if the data is temporary, otherwise January 1, 2026",
    meaning:
      "Unix time of the genesis block. If set, the chain's clock continues from this time; if not, later blocks have the system's time",
    read: (text, name) => toInteger(text, name, 0, 2 ** 40),
  }),
  toSwitchRow(
    "hardhat",
    "Behave like Hardhat's node instead of anvil: 20 accounts are funded, each block has a later timestamp than the block before, a transaction that fails returns its error to the sender, errors have Hardhat's wording, turning automining on doesn't mine the transactions that are already pending, eth_accounts omits impersonated accounts, evm_setIntervalMining takes milliseconds, debug_traceTransaction returns Hardhat's steps, and web3_clientVersion starts with HardhatNetwork",
  ),
  toRow("client-name", {
    value: "name",
    example: "HardhatNetwork",
    whenUnset: '"anvil-compatible", or "HardhatNetwork" with --hardhat',
    meaning: "Prefix of the web3_clientVersion result while dev controls are on",
    read: (text, name) => {
      if (/^[A-Za-z0-9._-]{1,40}$/.test(text)) return text;
      throw new ConfigError(`${name} must be 1 to 40 letters, digits, dots, dashes or underscores, but is "${text}".`);
    },
  }),
  toRow("hardfork", {
    value: "name",
    example: "cancun",
    fallback: "osaka",
    meaning: `Newest hardfork of the chain: ${hardforks.slice(0, -1).join(", ")} or osaka. Payments need cancun or later`,
    read: (text, name) => (text === "latest" ? "osaka" : toWord(text, name, hardforks)),
  }),
  toRow("gas-limit", {
    value: "gas",
    example: "30000000",
    fallback: "150000000",
    meaning: "Gas limit of a block",
    read: (text, name) => BigInt(toInteger(text, name, 21_000, 1e12)),
  }),
  toRow("base-fee", {
    value: "wei",
    example: "0",
    fallback: "1000000000",
    meaning: "Base fee of the genesis block, in wei",
    read: (text, name) => BigInt(toInteger(text, name, 0, 1e15 - 1)),
  }),
  toRow("priority-fee", {
    value: "wei",
    example: "1000000000",
    fallback: "1000000",
    meaning: "Priority fee that the node suggests while blocks have room, in wei",
    read: (text, name) => BigInt(toInteger(text, name, 0, 1e15 - 1)),
  }),
  toRow("code-size-limit", {
    value: "bytes",
    example: "49152",
    fallback: "24576",
    meaning: "Maximum size of a contract's code, in bytes. Creation code may be twice as long",
    read: (text, name) => toInteger(text, name, 1, 2 ** 31 - 1),
  }),
  toSwitchRow("disable-code-size-limit", "Accept contracts of any size"),
  toRow("disable-tx-gas-limit", {
    whenUnset: "on if the chain ID is 31337, unless --hardhat is on; otherwise off",
    meaning: "Accept transactions above the gas limit of EIP-7825 (16,777,216)",
    read: toSwitch,
  }),
];

/**
 * Returns the settings, keyed by field. A field that is not given is left out. Throws ConfigError.
 * @param {Record<string, { text: string; name: string }>} texts the values, keyed by field, each with its name for
 * messages
 * @param {boolean} isShared whether several instances build the chain's blocks
 */
export function readChainSettings(texts, isShared) {
  /** @type {Record<string, any>} */
  const values = {};
  for (const { field, read } of chainVariables) {
    const given = texts[field];
    if (given) values[field] = read(given.text, given.name);
  }
  if (values.hardhat) values.accounts ??= 20;
  const { blockTime, mixedMining, noMining, codeSizeLimit, disableCodeSizeLimit } = values;
  /** @param {string} one @param {string} other */
  const refuseBoth = (one, other) => {
    throw new ConfigError(`${texts[one]?.name} and ${texts[other]?.name} can't be combined; unset one of them.`);
  };
  if (noMining && blockTime !== undefined) refuseBoth("noMining", "blockTime");
  if (noMining && mixedMining) refuseBoth("noMining", "mixedMining");
  if (disableCodeSizeLimit && codeSizeLimit !== undefined) refuseBoth("disableCodeSizeLimit", "codeSizeLimit");
  if (mixedMining && blockTime === undefined) throw new ConfigError(`${texts.mixedMining?.name} needs a block time.`);
  const alone = noMining ? texts.noMining : texts.blockTime;
  if (isShared && alone) throw new ConfigError(`${alone.name} and DATABASE_URL can't be combined; unset one of them.`);
  return values;
}

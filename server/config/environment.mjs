/**
 * The environment variables as data: name, command-line option, default, meaning and parser. Plain JavaScript that only
 * uses Node builtins, because `npm start` reads it before anything is installed; server/config/config.ts reads the same
 * table. Every error names the variable, and no error contains a secret.
 */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { chainVariables, readChainSettings } from "./chainVariables.mjs";
import { ConfigError, toInteger, toSwitch } from "./settingValues.mjs";

export { ConfigError, chainVariables, readChainSettings };

/** The order of the secp256k1 curve. A private key must be less than this. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const hostPattern = /^[a-z0-9_]([a-z0-9._-]{0,252}[a-z0-9])?$/i;

/** @param {string} text @param {string} name */
function toPrivateKey(text, name) {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new ConfigError(`${name} must be 0x followed by 64 hexadecimal digits.`);
  const value = BigInt(text);
  if (value === 0n || value >= curveOrder) throw new ConfigError(`${name} is not a valid secp256k1 private key.`);
  return text.toLowerCase();
}

/** @param {string} text one key, or several separated by commas @param {string} name */
function toPrivateKeys(text, name) {
  const keys = text.split(",").map((key) => toPrivateKey(key.trim(), name));
  if (new Set(keys).size < keys.length) throw new ConfigError(`${name} contains the same key twice.`);
  return keys;
}

/** @param {string} text @param {string} name */
function toDatabaseUrl(text, name) {
  // The URL contains a password, so no error message contains the URL.
  const complaint = `${name} must be a Postgres URL such as postgres://user:password@host:port/database.`;
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(complaint);
  }
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) throw new ConfigError(complaint);
  return text;
}

/** @param {string} limit @param {string} meaning @param {[least: number, fallback: number, most: number]} range */
const toLimit = (limit, meaning, [least, fallback, most]) => ({
  name: `TOLLSCAN_LIMIT_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  limit,
  fallback: String(fallback),
  meaning,
  read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, least, most),
});

/** @param {string} text an IP address, or a name that resolves to one @param {string} name */
function toHost(text, name) {
  if (isIP(text) > 0 || hostPattern.test(text)) return text.toLowerCase();
  throw new ConfigError(`${name} must be an IP address or a host name, such as 0.0.0.0, but is "${text}".`);
}

/** @param {string} text @param {string} name */
const toHosts = (text, name) =>
  text.split(",").map((part) => {
    const host = part.trim().toLowerCase();
    if (host === "*" || hostPattern.test(host)) return host;
    if (isIP(host) > 0) return host.includes(":") ? `[${host}]` : host;
    throw new ConfigError(
      `${name} must be * or host names without ports, separated by commas, but "${part}" is not one.`,
    );
  });

/** @param {string} text @param {string} name */
const toOrigins = (text, name) =>
  text.split(",").map((part) => {
    const origin = part.trim();
    if (origin === "*") return origin;
    if (URL.canParse(origin)) {
      const url = new URL(origin);
      // Browser extensions have origins too, but `URL.origin` returns "null" for them.
      const [, found = ""] = /^([a-z-]+:\/\/[^/?#@]+)\/?$/.exec(url.href) ?? [];
      if (found !== "") return found;
    }
    throw new ConfigError(
      `${name} must be * or origins such as https://app.example.com, separated by commas, but "${part}" is not one.`,
    );
  });

/** @param {string} text @param {string} _name @param {string} root */
const toPath = (text, _name, root) => resolve(root, text);

/** @param {string} option @param {string} meaning */
const toStateRow = (option, meaning) => ({
  name: `TOLLSCAN_${option.replace("-", "_").toUpperCase()}`,
  option,
  value: "file",
  example: "state.json",
  fallback: "",
  meaning: `${meaning}, in anvil's format. Not available with DATABASE_URL, or on a remote or imported network`,
  read: toPath,
});

const plain = [
  {
    name: "PORT",
    option: "port",
    short: "p",
    value: "number",
    example: "3001",
    fallback: "3000",
    meaning: "Port to listen on. Use 0 to pick a free port",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 0, 65535),
  },
  {
    name: "HOST",
    option: "host",
    value: "address",
    example: "0.0.0.0",
    fallback: "",
    whenUnset: "127.0.0.1 and ::1",
    meaning:
      "Address to listen on. Use 0.0.0.0 or :: for every address. Setting HOST turns dev controls off unless TOLLSCAN_DEVELOPER is on",
    read: toHost,
  },
  {
    name: "TOLLSCAN_ALLOWED_HOSTS",
    fallback: "",
    meaning:
      "Host names that the server accepts, separated by commas, or * for any. Loopback names, HOST and the Vercel deployment's domain are always allowed",
    read: toHosts,
  },
  {
    name: "TOLLSCAN_ALLOWED_ORIGINS",
    fallback: "",
    meaning:
      "Origins that may use dev controls, unlocked accounts and the faucet, separated by commas, or * for any. Pages and programs on this machine are always allowed",
    read: toOrigins,
  },
  {
    name: "TOLLSCAN_DATA",
    option: "data",
    value: "folder",
    example: ".tollscan",
    fallback: ".tollscan",
    meaning: "Data folder, relative to the current folder",
    read: toPath,
  },
  {
    name: "DATABASE_URL",
    fallback: "",
    meaning: "Postgres database to use instead of the data folder. Any number of instances can share it",
    read: toDatabaseUrl,
  },
  {
    name: "TOLLSCAN_NETWORKS",
    option: "networks",
    value: "names",
    example: "testnet,base-sepolia",
    fallback: "testnet,mainnet,base-sepolia",
    meaning: "Comma-separated network names, or the path of a JSON file (relative to the current folder)",
    read: (/** @type {string} */ text) => text,
  },
  {
    name: "TOLLSCAN_LABELS",
    option: "labels",
    value: "file",
    example: "labels.json",
    fallback: "",
    meaning: "Path of a JSON file that names addresses, relative to the current folder. Every page shows these names",
    read: toPath,
  },
  toStateRow("state", "Load the first network's state from this file if it exists, and write it back on exit"),
  toStateRow("load-state", "Load the first network's state from this file at startup"),
  toStateRow("dump-state", "Write the first network's state to this file on exit"),
  {
    name: "FACILITATOR_PRIVATE_KEY",
    fallback: "",
    whenUnset: "a random key, kept with the data",
    meaning:
      "Private key of the account that sends settlements, or several keys separated by commas. Required for remote nodes. On a local chain with a mainnet's chain ID, these keys are ignored and a random one is used",
    read: toPrivateKeys,
  },
  {
    name: "TOLLSCAN_DETERMINISTIC",
    fallback: "off",
    meaning:
      "on or off. If on, the facilitator and the payee of the demo resources use public test keys, so test suites get the same addresses every time. Not available with remote nodes",
    read: toSwitch,
  },
  {
    name: "TOLLSCAN_DEVELOPER",
    fallback: "",
    whenUnset: "on; off if HOST is set or the platform is serverless",
    meaning:
      "Dev controls (anvil_, evm_ and hardhat_ methods and unlocked accounts): on or off. Not available on remote nodes, on imported chains or with DATABASE_URL",
    read: toSwitch,
  },
  {
    name: "TOLLSCAN_JS_TRACERS",
    fallback: "",
    whenUnset: "on; off if HOST is set or the platform is serverless",
    meaning:
      "on or off. If on, debug_trace methods accept JavaScript tracers, which run in a sandbox with the same time limit as a call",
    read: toSwitch,
  },
];

export const limits = [
  toLimit("bodyBytes", "Maximum size of a request body, in bytes", [1_024, 5_242_880, 67_108_864]),
  toLimit(
    "openBodyBytes",
    "Maximum total memory for request bodies that are still arriving, across all connections, in bytes",
    [65_536, 67_108_864, 68_719_476_736],
  ),
  toLimit("batchLength", "Maximum requests in a JSON-RPC batch", [1, 1_000, 100_000]),
  toLimit("responseBytes", "Maximum size of a JSON-RPC response, in bytes", [1_024, 26_214_400, 268_435_456]),
  toLimit("logBlocks", "Maximum blocks in a log query", [1, 10_000, 100_000_000]),
  toLimit("logResults", "Maximum logs in a response", [1, 10_000, 1_000_000]),
  toLimit("traceBlocks", "Maximum blocks in a trace_filter request", [1, 1_000, 1_000_000]),
  toLimit("feeHistoryBlocks", "Maximum blocks in an eth_feeHistory request", [1, 1_024, 100_000]),
  toLimit("callGas", "Gas limit of a call or estimate", [21_000, 150_000_000, 100_000_000_000]),
  toLimit("callTimeMs", "Time limit of a call, in milliseconds", [10, 5_000, 600_000]),
  toLimit(
    "buildTimeMs",
    "Time limit for executing a block's transactions, in milliseconds. A transaction that takes more than half of it is dropped",
    [100, 4_500, 60_000],
  ),
  toLimit("callWorkers", "Worker threads for calls, per network", [1, 2, 64]),
  toLimit(
    "callQueue",
    "Maximum calls waiting for a thread. Every 64 KiB of a call's input counts as one more call",
    [1, 1_000, 1_000_000],
  ),
  toLimit(
    "filters",
    "Maximum open filters. Every 100 addresses and topics in a filter count as one more filter",
    [1, 1_000, 1_000_000],
  ),
  toLimit("clientFilters", "Maximum open filters per client IP address", [1, 250, 1_000_000]),
  toLimit("subscriptions", "Maximum open event streams", [1, 1_000, 100_000]),
  toLimit("sockets", "Maximum open WebSocket connections", [1, 500, 100_000]),
  toLimit("socketSubscriptions", "Maximum subscriptions per WebSocket connection", [1, 100, 10_000]),
  toLimit("facilitatorRequests", "Maximum facilitator requests per second per client IP address", [1, 200, 1_000_000]),
  toLimit("poolTransactions", "Maximum transactions in a network's mempool", [1, 10_000, 1_000_000]),
  toLimit("poolPerSender", "Maximum mempool transactions per sender", [1, 1_000, 1_000_000]),
  toLimit("databaseConnections", "Maximum connections to Postgres", [2, 10, 1_000]),
];

/** Every variable that Tollscan reads, in the order in which the documentation lists them. */
export const variables = [...plain, ...chainVariables, ...limits];

/** @param {string} text @param {string} name */
function toNodeUrl(text, name) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(`${name} must be a URL.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigError(`${name} must be an http or https URL.`);
  }
  return url.href;
}

/** @param {string} text a decimal number of gwei @param {string} name @returns {bigint} in wei */
function toWei(text, name) {
  const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const wei = whole === "" ? 0n : BigInt(whole) * 10n ** 9n + BigInt(fraction.padEnd(9, "0"));
  if (wei === 0n) throw new ConfigError(`${name} must be a number of gwei greater than zero, but is "${text}".`);
  return wei;
}

/** @param {string} text a decimal number of tokens @param {string} name */
function toAmount(text, name) {
  if (/^\d{1,9}(\.\d{1,18})?$/.test(text)) return text;
  throw new ConfigError(`${name} must be a decimal number of tokens, such as 0.01, but is "${text}".`);
}

/** @param {string} text @param {string} name */
const toAddresses = (text, name) =>
  text.split(",").map((part) => {
    const address = part.trim().toLowerCase();
    if (/^0x[0-9a-f]{40}$/.test(address)) return address;
    throw new ConfigError(`${name} must be addresses separated by commas, but "${part}" is not an address.`);
  });

/**
 * The settings for a network that a remote node serves. <NAME> is the network's name in uppercase, with _ instead of
 * each hyphen.
 */
export const networkVariables = [
  {
    name: "NETWORK_<NAME>_RPC_URL",
    field: "url",
    fallback: "",
    meaning: "URL of the remote node to use instead of a local chain. Never shown or logged",
    read: toNodeUrl,
  },
  {
    name: "NETWORK_<NAME>_CONFIRMATIONS",
    field: "confirmations",
    fallback: "1",
    meaning:
      "Confirmations required before a settlement on the remote node is final. With 1, the block that contains the settlement is enough",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 1, 1_000),
  },
  {
    name: "NETWORK_<NAME>_MAX_FEE_GWEI",
    field: "maxFeeWei",
    fallback: "",
    whenUnset: "the tip plus twice the base fee",
    meaning: "Maximum fee per gas for a settlement on the remote node, in gwei",
    read: toWei,
  },
  {
    name: "NETWORK_<NAME>_MIN_AMOUNT",
    field: "minAmount",
    fallback: "0.001",
    meaning: "Smallest payment that the facilitator settles on the remote node, in tokens",
    read: toAmount,
  },
  {
    name: "NETWORK_<NAME>_PAYEES",
    field: "payees",
    fallback: "",
    whenUnset: "any",
    meaning:
      "Allowed payees, separated by commas. On the remote node, the facilitator settles payments to these payees only. The payee of the demo resources is always allowed",
    read: toAddresses,
  },
  {
    name: "NETWORK_<NAME>_PAYER_GAS",
    field: "payerGas",
    fallback: "20000000",
    meaning: "Maximum gas per day for one payer's settlements on the remote node",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 1_000_000, 1e12),
  },
  {
    name: "NETWORK_<NAME>_CONTRACT_GAS",
    field: "contractGas",
    fallback: "500000",
    meaning: "Maximum gas for a settlement on the remote node if the payer is a contract, such as a smart wallet",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 100_000, 1_000_000),
  },
];

const remoteEndings = networkVariables.map(({ name }) => name.replace("NETWORK_<NAME>_", "")).join("|");
const remotePattern = new RegExp(`^NETWORK_([A-Z0-9_]+?)_(${remoteEndings})$`);

const toRemoteDefaults = () =>
  Object.fromEntries(
    networkVariables
      .filter(({ fallback }) => fallback !== "")
      .map(({ field, fallback, name, read }) => [field, read(fallback, name)]),
  );

/** @param {Record<string, string | undefined>} env @returns {Record<string, any>} by network name in uppercase */
function readPublicNodes(env) {
  /** @type {Record<string, any>} */
  const nodes = {};
  for (const [name, given] of Object.entries(env)) {
    const [, network = "", ending = ""] = remotePattern.exec(name) ?? [];
    const variable = networkVariables.find((candidate) => candidate.name === `NETWORK_<NAME>_${ending}`);
    if (!variable || given === undefined) continue;
    assertNotEmpty(name, given);
    nodes[network] ??= { variable: `NETWORK_${network}_RPC_URL`, ...toRemoteDefaults() };
    nodes[network][variable.field] = variable.read(given.trim(), name);
  }
  for (const [network, { url, variable }] of Object.entries(nodes)) {
    if (url === undefined)
      throw new ConfigError(
        `${variable} is missing, but other settings for ${network} are present; set it or remove the others.`,
      );
    if (env.TOLLSCAN_DETERMINISTIC?.trim() === "on") {
      throw new ConfigError(
        `TOLLSCAN_DETERMINISTIC must be off if ${variable} is set: the deterministic keys are public, so anyone could spend the payments received on the remote node.`,
      );
    }
    if (env.FACILITATOR_PRIVATE_KEY === undefined) {
      throw new ConfigError(
        `FACILITATOR_PRIVATE_KEY must be a key of your own if ${variable} is set: its account pays for the gas of settlements.`,
      );
    }
  }
  return nodes;
}

/** @param {string} name @param {string | undefined} text */
function assertNotEmpty(name, text) {
  if (text?.trim() === "") throw new ConfigError(`${name} is set but empty; give it a value or unset it.`);
}

/** @param {Record<string, any>} values by variable */
function toStateFiles({
  TOLLSCAN_STATE: both,
  TOLLSCAN_LOAD_STATE: load,
  TOLLSCAN_DUMP_STATE: dump,
  DATABASE_URL: database,
}) {
  const variable = load !== undefined ? "TOLLSCAN_LOAD_STATE" : dump !== undefined ? "TOLLSCAN_DUMP_STATE" : undefined;
  if (both !== undefined && variable !== undefined)
    throw new ConfigError(`TOLLSCAN_STATE and ${variable} can't be combined; unset one of them.`);
  const given = both !== undefined ? "TOLLSCAN_STATE" : variable;
  if (given === undefined) return undefined;
  if (database !== undefined) throw new ConfigError(`${given} and DATABASE_URL can't be combined; unset one of them.`);
  return { variable: given, load: both ?? load, dump: both ?? dump, isLoadOptional: both !== undefined };
}

/**
 * The chain settings that are set in the environment, keyed by field.
 * @param {Record<string, string | undefined>} env
 */
function listChainTexts(env) {
  /** @type {Record<string, { text: string; name: string }>} */
  const texts = {};
  for (const { name, field } of chainVariables) {
    assertNotEmpty(name, env[name]);
    if (env[name] !== undefined) texts[field] = { text: env[name].trim(), name };
  }
  // A networks file may override these settings, but they must also be valid on their own.
  readChainSettings(texts, env.DATABASE_URL !== undefined);
  return texts;
}

/**
 * Reads the environment. Accesses neither the disk nor the network.
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder that relative paths start from
 */
export function readEnvironment(env, root) {
  const known = new Set(variables.map((variable) => variable.name));
  for (const name of Object.keys(env)) {
    if (name.startsWith("TOLLSCAN_") && !known.has(name))
      throw new ConfigError(`${name} is not a Tollscan variable; the README lists them.`);
  }
  /** @type {Record<string, any>} */
  const values = {};
  for (const { name, fallback, read } of [...plain, ...limits]) {
    const text = env[name];
    assertNotEmpty(name, text);
    const given = text?.trim() ?? fallback;
    values[name] = given === "" ? undefined : read(given, name, root);
  }
  if (values.TOLLSCAN_LIMIT_BODY_BYTES > values.TOLLSCAN_LIMIT_OPEN_BODY_BYTES) {
    throw new ConfigError("TOLLSCAN_LIMIT_BODY_BYTES must not exceed TOLLSCAN_LIMIT_OPEN_BODY_BYTES.");
  }
  if (values.TOLLSCAN_LIMIT_POOL_PER_SENDER > values.TOLLSCAN_LIMIT_POOL_TRANSACTIONS) {
    throw new ConfigError("TOLLSCAN_LIMIT_POOL_PER_SENDER must not exceed TOLLSCAN_LIMIT_POOL_TRANSACTIONS.");
  }
  const stateFiles = toStateFiles(values);
  return {
    port: values.PORT,
    dataDir: values.TOLLSCAN_DATA,
    ...(stateFiles && { stateFiles }),
    ...(values.TOLLSCAN_LABELS !== undefined && { labelsFile: values.TOLLSCAN_LABELS }),
    ...(values.HOST !== undefined && { host: values.HOST }),
    ...(values.TOLLSCAN_DEVELOPER !== undefined && { isDeveloped: values.TOLLSCAN_DEVELOPER }),
    ...(values.TOLLSCAN_JS_TRACERS !== undefined && { areScriptsAllowed: values.TOLLSCAN_JS_TRACERS }),
    allowedHosts: values.TOLLSCAN_ALLOWED_HOSTS ?? [],
    allowedOrigins: values.TOLLSCAN_ALLOWED_ORIGINS ?? [],
    ...(values.DATABASE_URL !== undefined && { databaseUrl: values.DATABASE_URL }),
    networks: values.TOLLSCAN_NETWORKS,
    facilitatorKeys: values.FACILITATOR_PRIVATE_KEY ?? [],
    isDeterministic: values.TOLLSCAN_DETERMINISTIC,
    limits: Object.fromEntries(limits.map(({ limit, name }) => [limit, values[name]])),
    publicNodes: readPublicNodes(env),
    chainTexts: listChainTexts(env),
  };
}

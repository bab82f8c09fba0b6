/**
 * The environment variables, as data: name, default, meaning and how each is read. Plain JavaScript on node builtins,
 * because `npm start` reads it before anything is installed; server/config.ts reads the same table.
 * Every complaint is one sentence that names the variable and never repeats a secret.
 */
import { isIP } from "node:net";
import { resolve } from "node:path";

/** The environment or a file it names is wrong: the message is one sentence that names the variable. */
export class ConfigError extends Error {
  name = "ConfigError";
}

/** Order of secp256k1: a private key is below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const hostPattern = /^[a-z0-9_]([a-z0-9._-]{0,252}[a-z0-9])?$/i;

/** @param {string} text @param {string} name @param {number} least @param {number} most */
function toInteger(text, name, least, most) {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, but is "${text}".`);
  }
  return value;
}

/** Key 10 of the test mnemonic; the ten before it are the funded accounts. */
const developmentFacilitatorKey = "0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897";

/** @param {string} text @param {string} name */
function toPrivateKey(text, name) {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new ConfigError(`${name} must be 0x and 64 hexadecimal digits.`);
  const value = BigInt(text);
  if (value === 0n || value >= curveOrder) throw new ConfigError(`${name} is not a valid secp256k1 private key.`);
  return text.toLowerCase();
}

/** @param {string} text @param {string} name One key, or several with commas between. */
function toPrivateKeys(text, name) {
  const keys = text.split(",").map((key) => toPrivateKey(key.trim(), name));
  if (new Set(keys).size < keys.length) throw new ConfigError(`${name} names a key twice.`);
  return keys;
}

/** @param {string} text @param {string} name */
function toDatabaseUrl(text, name) {
  // It carries a password, so that no complaint repeats it.
  const complaint = `${name} must be a URL of postgres: postgres://user:password@host:port/database.`;
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(complaint);
  }
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) throw new ConfigError(complaint);
  return text;
}

/** @param {string} text @param {string} name */
function toSwitch(text, name) {
  if (text !== "on" && text !== "off") throw new ConfigError(`${name} must be on or off, but is "${text}".`);
  return text === "on";
}

/** @param {string} limit @param {string} meaning @param {[least: number, fallback: number, most: number]} range */
const toLimit = (limit, meaning, [least, fallback, most]) => ({
  name: `TOLLSCAN_LIMIT_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  limit,
  fallback: String(fallback),
  meaning,
  read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, least, most),
});

/** @param {string} text @param {string} name An IP address, or a name that resolves to one. */
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
    throw new ConfigError(`${name} must be host names without ports, separated by commas, or *, but has "${part}".`);
  });

/** @param {string} text @param {string} name */
const toOrigins = (text, name) =>
  text.split(",").map((part) => {
    const origin = part.trim();
    if (origin === "*") return origin;
    if (URL.canParse(origin)) {
      const url = new URL(origin);
      // Extensions have origins too, whose URL says "null".
      const [, found = ""] = /^([a-z-]+:\/\/[^/?#@]+)\/?$/.exec(url.href) ?? [];
      if (found !== "") return found;
    }
    throw new ConfigError(
      `${name} must be origins such as https://app.example.com, separated by commas, or *, but has "${part}".`,
    );
  });

const plain = [
  {
    name: "PORT",
    fallback: "3000",
    meaning: "Port to listen on; 0 takes a free one",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 0, 65535),
  },
  {
    name: "HOST",
    fallback: "",
    meaning:
      "Address to listen on instead of this machine's loopback addresses only; 0.0.0.0 or :: opens every address. Turns dev controls off unless TOLLSCAN_DEVELOPER is on",
    read: toHost,
  },
  {
    name: "TOLLSCAN_ALLOWED_HOSTS",
    fallback: "",
    meaning:
      "Host names that requests may be addressed to, besides loopback, HOST and the deployment's own; separated by commas, or * for any",
    read: toHosts,
  },
  {
    name: "TOLLSCAN_ALLOWED_ORIGINS",
    fallback: "",
    meaning:
      "Origins of pages that may use dev controls, unlocked accounts and the faucet, besides pages and programs on this machine; separated by commas, or * for everyone",
    read: toOrigins,
  },
  {
    name: "TOLLSCAN_DATA",
    fallback: ".tollscan",
    meaning: "Folder of the databases, relative to the project",
    read: (/** @type {string} */ text, /** @type {string} */ _name, /** @type {string} */ root) => resolve(root, text),
  },
  {
    name: "DATABASE_URL",
    fallback: "",
    meaning: "Postgres to keep everything in, in place of the data folder; any number of instances may share it",
    read: toDatabaseUrl,
  },
  {
    name: "TOLLSCAN_NETWORKS",
    fallback: "",
    meaning: "JSON file that replaces the two networks, relative to the project",
    read: (/** @type {string} */ text, /** @type {string} */ _name, /** @type {string} */ root) => resolve(root, text),
  },
  {
    name: "FACILITATOR_PRIVATE_KEY",
    fallback: developmentFacilitatorKey,
    meaning:
      "Key of the account that sends settlements, or several with commas between; by default the public test mnemonic's key 10",
    read: toPrivateKeys,
  },
  {
    name: "TOLLSCAN_DEVELOPER",
    fallback: "",
    meaning:
      "Dev controls (anvil_, evm_ and hardhat_ methods and unlocked accounts): on or off; on by default, off where HOST or a serverless platform opens the server; never on public nodes, imported chains or with DATABASE_URL",
    read: toSwitch,
  },
];

export const limits = [
  toLimit("bodyBytes", "Bytes of one request body", [1_024, 5_242_880, 67_108_864]),
  toLimit("batchLength", "Requests in one JSON-RPC batch", [1, 1_000, 100_000]),
  toLimit("responseBytes", "Bytes of one JSON-RPC answer", [1_024, 26_214_400, 268_435_456]),
  toLimit("logBlocks", "Blocks that one log query spans", [1, 10_000, 100_000_000]),
  toLimit("logResults", "Logs that one query answers", [1, 10_000, 1_000_000]),
  toLimit("feeHistoryBlocks", "Blocks that one eth_feeHistory spans", [1, 1_024, 100_000]),
  toLimit("callGas", "Gas of one call or estimate", [21_000, 150_000_000, 100_000_000_000]),
  toLimit("callTimeMs", "Milliseconds that one call may run", [10, 5_000, 600_000]),
  toLimit("callWorkers", "Threads that run calls, per network", [1, 2, 64]),
  toLimit("callQueue", "Calls that may wait for a thread", [1, 1_000, 1_000_000]),
  toLimit("filters", "Filters that exist at once", [1, 1_000, 1_000_000]),
  toLimit("clientFilters", "Filters of one client, known by its address", [1, 250, 1_000_000]),
  toLimit("subscriptions", "Event streams open at once", [1, 1_000, 100_000]),
  toLimit("sockets", "WebSocket connections open at once", [1, 500, 100_000]),
  toLimit("socketSubscriptions", "Subscriptions of one WebSocket connection", [1, 100, 10_000]),
  toLimit("facilitatorRequests", "Requests to the facilitator per client address and second", [1, 200, 1_000_000]),
  toLimit("poolTransactions", "Transactions that wait in one pool", [1, 10_000, 1_000_000]),
  toLimit("poolPerSender", "Transactions of one sender that wait", [1, 1_000, 1_000_000]),
  toLimit("databaseConnections", "Connections to Postgres that the server opens", [2, 10, 1_000]),
];

/** Every variable we read, in the order in which it is documented. */
export const variables = [...plain, ...limits];

/** @param {string} text @param {string} name */
function toNodeUrl(text, name) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(`${name} must be a URL.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigError(`${name} must be a URL of http or https.`);
  }
  return url.href;
}

/** @param {string} text @param {string} name Wei, from a decimal number of gwei. */
function toWei(text, name) {
  const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const wei = whole === "" ? 0n : BigInt(whole) * 10n ** 9n + BigInt(fraction.padEnd(9, "0"));
  if (wei === 0n) throw new ConfigError(`${name} must be a number of gwei above zero, but is "${text}".`);
  return wei;
}

/** What puts a network on a public node; <NAME> is the network's name in capitals, with _ for each hyphen. */
export const networkVariables = [
  {
    name: "NETWORK_<NAME>_RPC_URL",
    field: "url",
    fallback: "",
    meaning: "Public node that this network is on, in place of a chain of our own; never shown or logged",
    read: toNodeUrl,
  },
  {
    name: "NETWORK_<NAME>_CONFIRMATIONS",
    field: "confirmations",
    fallback: "1",
    meaning: "Blocks, its own included, after which a settlement on the public node counts",
    read: (/** @type {string} */ text, /** @type {string} */ name) => toInteger(text, name, 1, 1_000),
  },
  {
    name: "NETWORK_<NAME>_MAX_FEE_GWEI",
    field: "maxFeeWei",
    fallback: "",
    meaning: "Most that a settlement on the public node pays per gas; without it, twice the base fee and the tip",
    read: toWei,
  },
];

/** @param {Record<string, string | undefined>} env @returns {Record<string, any>} by the name in capitals */
function readPublicNodes(env) {
  /** @type {Record<string, any>} */
  const nodes = {};
  for (const [name, given] of Object.entries(env)) {
    const [, network = "", ending = ""] =
      /^NETWORK_([A-Z0-9_]+)_(RPC_URL|CONFIRMATIONS|MAX_FEE_GWEI)$/.exec(name) ?? [];
    const variable = networkVariables.find((candidate) => candidate.name === `NETWORK_<NAME>_${ending}`);
    if (!variable || given === undefined) continue;
    if (given.trim() === "") throw new ConfigError(`${name} is set but empty; give it a value or unset it.`);
    nodes[network] ??= { variable: `NETWORK_${network}_RPC_URL`, confirmations: 1 };
    nodes[network][variable.field] = variable.read(given.trim(), name);
  }
  for (const [network, { url, variable }] of Object.entries(nodes)) {
    if (url === undefined) throw new ConfigError(`${variable} is missing, beside the other settings of ${network}.`);
    assertOwnKey(
      env.FACILITATOR_PRIVATE_KEY?.trim() ?? developmentFacilitatorKey,
      [developmentFacilitatorKey],
      variable,
    );
  }
  return nodes;
}

/** What anyone can sign for must not hold value. @param {string} key @param {string[]} publicKeys @param {string} variable */
export function assertOwnKey(key, publicKeys, variable) {
  if (!key.split(",").some((one) => publicKeys.includes(one.trim().toLowerCase()))) return;
  throw new ConfigError(
    `FACILITATOR_PRIVATE_KEY must be a key of your own where ${variable} is set: this one is public and anyone can empty its account.`,
  );
}

/**
 * Reads the environment. Touches neither disk nor network.
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder that relative paths start from
 */
export function readEnvironment(env, root) {
  const known = new Set(variables.map((variable) => variable.name));
  for (const name of Object.keys(env)) {
    if (name.startsWith("TOLLSCAN_") && !known.has(name))
      throw new ConfigError(`${name} is not a variable of Tollscan.`);
  }
  /** @type {Record<string, any>} */
  const values = {};
  for (const { name, fallback, read } of variables) {
    const text = env[name];
    if (text !== undefined && text.trim() === "") {
      throw new ConfigError(`${name} is set but empty; give it a value or unset it.`);
    }
    const given = text?.trim() ?? fallback;
    values[name] = given === "" ? undefined : read(given, name, root);
  }
  if (values.TOLLSCAN_LIMIT_POOL_PER_SENDER > values.TOLLSCAN_LIMIT_POOL_TRANSACTIONS) {
    throw new ConfigError("TOLLSCAN_LIMIT_POOL_PER_SENDER must not be above TOLLSCAN_LIMIT_POOL_TRANSACTIONS.");
  }
  return {
    port: values.PORT,
    dataDir: values.TOLLSCAN_DATA,
    ...(values.HOST !== undefined && { host: values.HOST }),
    ...(values.TOLLSCAN_DEVELOPER !== undefined && { isDeveloped: values.TOLLSCAN_DEVELOPER }),
    allowedHosts: values.TOLLSCAN_ALLOWED_HOSTS ?? [],
    allowedOrigins: values.TOLLSCAN_ALLOWED_ORIGINS ?? [],
    ...(values.DATABASE_URL !== undefined && { databaseUrl: values.DATABASE_URL }),
    networksFile: values.TOLLSCAN_NETWORKS,
    facilitatorKey: values.FACILITATOR_PRIVATE_KEY[0],
    otherFacilitatorKeys: values.FACILITATOR_PRIVATE_KEY.slice(1),
    limits: Object.fromEntries(limits.map(({ limit, name }) => [limit, values[name]])),
    publicNodes: readPublicNodes(env),
  };
}

/** Tests the configuration: its defaults, and a clear message for every mistake. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { ConfigError, networkVariables, variables } from "@/server/config/environment.mjs";

const root = mkdtempSync(join(tmpdir(), "tollscan-config-"));
afterAll(() => rmSync(root, { recursive: true }));

const token = {
  address: "0x00000000000000000000000000000000000000A1",
  symbol: "USDC",
  decimals: 6,
  eip712: { name: "USDC", version: "2" },
  eip3009: true,
};
const network = {
  name: "devnet",
  chainId: 31337,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  tokens: [token],
};

function loadFile(content: unknown) {
  writeFileSync(join(root, "networks.json"), typeof content === "string" ? content : JSON.stringify(content));
  return loadConfig({ TOLLSCAN_NETWORKS: "networks.json" }, root);
}

function complaint(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as Error;
    expect(message).toMatch(/^[A-Z][^\n]*\.$/);
    return message;
  }
  throw new Error("The configuration was accepted.");
}

describe("HOST", () => {
  test("defaults to loopback with dev controls; other addresses turn them off unless they are set to on", () => {
    expect(loadConfig({}, root)).toMatchObject({ isDeveloped: true, access: { hosts: [], anyAddress: false } });
    expect(loadConfig({}, root)).not.toHaveProperty("host");
    expect(loadConfig({ TOLLSCAN_DEVELOPER: "off" }, root).isDeveloped).toBe(false);
    expect(loadConfig({ HOST: "0.0.0.0" }, root)).toMatchObject({
      host: "0.0.0.0",
      isDeveloped: false,
      access: { anyAddress: true },
    });
    expect(loadConfig({ HOST: "::", TOLLSCAN_DEVELOPER: "on" }, root)).toMatchObject({ host: "::", isDeveloped: true });
    expect(loadConfig({ HOST: "fd00::2" }, root).access).toMatchObject({ hosts: ["[fd00::2]"], anyAddress: false });
  });

  test("can be combined with lists of hosts and origins, which are normalized to the form that requests send", () => {
    const { access } = loadConfig(
      {
        TOLLSCAN_ALLOWED_HOSTS: "Node.Example, 10.0.0.7,fd00::2",
        TOLLSCAN_ALLOWED_ORIGINS: "https://App.example/, http://10.0.0.7:5173, chrome-extension://abcdef",
      },
      root,
    );
    expect(access).toEqual({
      hosts: ["node.example", "10.0.0.7", "[fd00::2]"],
      origins: ["https://app.example", "http://10.0.0.7:5173", "chrome-extension://abcdef"],
      anyAddress: false,
    });
  });

  test.each<[Record<string, string>, string]>([
    [{ HOST: "http://0.0.0.0" }, "HOST"],
    [{ HOST: "0.0.0.0:3000" }, "HOST"],
    [{ TOLLSCAN_ALLOWED_HOSTS: "node.example:3000" }, "TOLLSCAN_ALLOWED_HOSTS"],
    [{ TOLLSCAN_ALLOWED_HOSTS: "a.example,," }, "TOLLSCAN_ALLOWED_HOSTS"],
    [{ TOLLSCAN_ALLOWED_ORIGINS: "app.example" }, "TOLLSCAN_ALLOWED_ORIGINS"],
    [{ TOLLSCAN_ALLOWED_ORIGINS: "https://app.example/path" }, "TOLLSCAN_ALLOWED_ORIGINS"],
    [{ TOLLSCAN_ALLOWED_ORIGINS: "null" }, "TOLLSCAN_ALLOWED_ORIGINS"],
  ])("can't be %j", (env, name) => {
    expect(complaint(() => loadConfig(env, root))).toContain(name);
  });
});

describe("serverless functions", () => {
  test("use a temporary folder for each process and are marked as temporary", () => {
    for (const env of [{ VERCEL: "1" }, { AWS_LAMBDA_FUNCTION_NAME: "tollscan" }]) {
      const [one, two] = [loadConfig(env, root), loadConfig(env, root)];
      expect(one).toMatchObject({ isServerless: true, isTemporary: true });
      expect(relative(tmpdir(), one.dataDir)).toMatch(/^tollscan-[0-9a-f]{12}$/);
      expect(one.dataDir).not.toBe(two.dataDir);
    }
  });

  test("are persistent if they have a database", () => {
    const config = loadConfig({ VERCEL: "1", DATABASE_URL: "postgres://u@db.example/app" }, root);
    expect(config).toMatchObject({ isServerless: true, isTemporary: false });
    expect(loadConfig({}, root)).toMatchObject({
      isServerless: false,
      isTemporary: false,
      dataDir: join(root, ".tollscan"),
    });
  });
});

describe("defaults", () => {
  const config = loadConfig({}, root);

  test("are three networks, the testnet first, with the public token addresses", () => {
    expect(config.networks.map(({ name, chainId, tokens }) => [name, chainId, tokens[0]!.address])).toEqual([
      ["testnet", 10143, "0x534b2f3a21130d7a60830c2df862319e593943a3"],
      ["mainnet", 143, "0x754704bc059f8c67012fed69bc8a327a5aafb603"],
      ["base-sepolia", 84532, "0x036cbd53842c5426634e7929541ec2318f3dcf7e"],
    ]);
  });

  test("give each network one token with signed transfers and one without", () => {
    for (const { tokens } of config.networks) {
      expect(tokens.map(({ symbol, eip3009, eip712 }) => [symbol, eip3009, eip712 !== undefined])).toEqual([
        ["USDC", true, true],
        ["PUSD", false, false],
      ]);
    }
  });

  test("fund ten accounts of the test mnemonic", () => {
    const { funded } = config.networks[0];
    expect(funded).toHaveLength(10);
    expect(funded[0]).toEqual({
      address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      balanceWei: 10n ** 22n,
      tokenUnits: 10n ** 10n,
    });
  });

  test("set the port and the data folder, and leave the facilitator's key to the node", () => {
    expect(config.port).toBe(3000);
    expect(config.dataDir).toBe(join(root, ".tollscan"));
    expect(config).toMatchObject({ facilitatorKeys: [], isDeterministic: false });
    expect(config.limits.callGas).toBe(150_000_000n);
  });

  test("show the first of several facilitator keys to clients", () => {
    const [one, other] = [getDevAccount(20).privateKey, getDevAccount(21).privateKey];
    const several = loadConfig({ FACILITATOR_PRIVATE_KEY: `${one}, ${other}` }, root);
    expect(several.facilitatorKeys).toEqual([one, other]);
  });
});

describe("an invalid variable", () => {
  const key = `0x${"ab".repeat(32)}`;
  const cases: [env: Record<string, string>, names: string][] = [
    ...variables.map(({ name }): [Record<string, string>, string] => [{ [name]: " " }, name]),
    [{ PORT: "http" }, "PORT"],
    [{ PORT: "65536" }, "PORT"],
    [{ PORT: "-1" }, "PORT"],
    [{ PORT: "3e3" }, "PORT"],
    [{ TOLLSCAN_LIMIT_CALL_WORKERS: "0" }, "TOLLSCAN_LIMIT_CALL_WORKERS"],
    [{ TOLLSCAN_LIMIT_CALL_GAS: "99999999999999999999" }, "TOLLSCAN_LIMIT_CALL_GAS"],
    [{ TOLLSCAN_LIMIT_POOL_TRANSACTIONS: "5", TOLLSCAN_LIMIT_POOL_PER_SENDER: "6" }, "POOL_PER_SENDER"],
    [{ TOLLSCAN_DATADIR: "x" }, "TOLLSCAN_DATADIR"],
    [{ FACILITATOR_PRIVATE_KEY: key.slice(0, -1) }, "FACILITATOR_PRIVATE_KEY"],
    [{ FACILITATOR_PRIVATE_KEY: `${key},` }, "FACILITATOR_PRIVATE_KEY"],
    [{ FACILITATOR_PRIVATE_KEY: `${key},${key}` }, "FACILITATOR_PRIVATE_KEY"],
    [{ FACILITATOR_PRIVATE_KEY: `0x${"0".repeat(64)}` }, "FACILITATOR_PRIVATE_KEY"],
    [{ FACILITATOR_PRIVATE_KEY: `0x${"f".repeat(64)}` }, "FACILITATOR_PRIVATE_KEY"],
    [{ TOLLSCAN_NETWORKS: "missing.json" }, "TOLLSCAN_NETWORKS is missing.json, which cannot be read."],
  ];
  test.each(cases)("is rejected with an error that includes its name: %j", (env, names) => {
    const message = complaint(() => loadConfig(env, root));
    expect(message).toContain(names);
    const secret = env.FACILITATOR_PRIVATE_KEY?.slice(2, 20);
    if (secret) expect(message).not.toContain(secret);
  });
});

describe("the settings of local chains", () => {
  const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  const on = "on";
  test.each<[Record<string, string>, string]>([
    [{ TOLLSCAN_MNEMONIC: "legal winner thank" }, "TOLLSCAN_MNEMONIC must be a BIP-39 phrase"],
    [{ TOLLSCAN_MNEMONIC: phrase.replace("sausage", "sausag") }, "a word or the checksum is wrong"],
    [{ TOLLSCAN_MNEMONIC: phrase.replace("yellow", "zoo") }, "a word or the checksum is wrong"],
    [{ TOLLSCAN_ACCOUNTS: "0" }, "TOLLSCAN_ACCOUNTS must be a whole number from 1 to 1000"],
    [
      { TOLLSCAN_BALANCE: "-1" },
      'TOLLSCAN_BALANCE must be a decimal number of native tokens, such as 10000, but is "-1"',
    ],
    [{ TOLLSCAN_BLOCK_TIME: "0" }, 'TOLLSCAN_BLOCK_TIME must be a number of seconds from 0.001 to 86400, but is "0"'],
    [
      { TOLLSCAN_BLOCK_TIME: "2", DATABASE_URL: "postgres://u@db.example/app" },
      "TOLLSCAN_BLOCK_TIME and DATABASE_URL can't be combined",
    ],
    [
      { TOLLSCAN_NO_MINING: on, DATABASE_URL: "postgres://u@db.example/app" },
      "TOLLSCAN_NO_MINING and DATABASE_URL can't be combined",
    ],
    [
      { TOLLSCAN_NO_MINING: on, TOLLSCAN_BLOCK_TIME: "1" },
      "TOLLSCAN_NO_MINING and TOLLSCAN_BLOCK_TIME can't be combined",
    ],
    [{ TOLLSCAN_NO_MINING: "yes" }, 'TOLLSCAN_NO_MINING must be on or off, but is "yes"'],
    [{ TOLLSCAN_MIXED_MINING: on }, "TOLLSCAN_MIXED_MINING needs a block time"],
    [{ TOLLSCAN_ORDER: "lifo" }, 'TOLLSCAN_ORDER must be fees or fifo, but is "lifo"'],
    [{ TOLLSCAN_TIMESTAMP: "2024-01-01" }, "TOLLSCAN_TIMESTAMP must be a whole number"],
    [{ TOLLSCAN_HARDFORK: "berlin" }, "TOLLSCAN_HARDFORK must be london, paris, shanghai, cancun, prague or osaka"],
    [{ TOLLSCAN_GAS_LIMIT: "20999" }, "TOLLSCAN_GAS_LIMIT must be a whole number from 21000"],
    [{ TOLLSCAN_BASE_FEE: "1.5" }, "TOLLSCAN_BASE_FEE must be a whole number"],
    [{ TOLLSCAN_CODE_SIZE_LIMIT: "0" }, "TOLLSCAN_CODE_SIZE_LIMIT must be a whole number"],
    [{ TOLLSCAN_CODE_SIZE_LIMIT: "1", TOLLSCAN_DISABLE_CODE_SIZE_LIMIT: on }, "can't be combined"],
  ])("are rejected with a clear message if they are wrong: %j", (env, says) => {
    const message = complaint(() => loadConfig(env, root));
    expect(message).toContain(says);
    expect(message).not.toContain("winner");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ blockTime: "soon" }, "is networks.json, whose network local is invalid: blockTime must be a number of seconds"],
    [{ noMining: true, blockTime: 1 }, "noMining and blockTime can't be combined; unset one of them."],
    [{ mnemonic: phrase.replace("yellow", "zoo") }, "mnemonic is not a BIP-39 phrase"],
    [{ accounts: [] }, "invalid at 0.accounts"],
  ])("are rejected in a networks file if they are wrong: %j", (settings, says) => {
    expect(complaint(() => loadFile([{ preset: "local", ...settings }]))).toContain(says);
  });

  test("allow transactions of any size on a chain with anvil's chain ID, but not on others or like Hardhat's node", () => {
    const find = (env: Record<string, string>) => loadConfig(env, root).networks[0].settings.disableTxGasLimit;
    const local = { TOLLSCAN_NETWORKS: "local" };
    expect(find(local)).toBe(true);
    expect(find({ ...local, TOLLSCAN_HARDHAT: on })).toBe(false);
    expect(find({ ...local, TOLLSCAN_HARDHAT: on, TOLLSCAN_DISABLE_TX_GAS_LIMIT: on })).toBe(true);
    expect(find({ ...local, TOLLSCAN_DISABLE_TX_GAS_LIMIT: "off" })).toBe(false);
    expect(find({ TOLLSCAN_NETWORKS: "testnet" })).toBeUndefined();
  });

  test("do not apply to a remote node", () => {
    const env = {
      TOLLSCAN_BLOCK_TIME: "1",
      TOLLSCAN_NETWORKS: "mainnet",
      FACILITATOR_PRIVATE_KEY: `0x${"ab".repeat(32)}`,
      NETWORK_MAINNET_RPC_URL: "https://node.example",
    };
    expect(loadConfig(env, root).networks[0]).toMatchObject({ settings: {}, accounts: [], funded: [] });
  });
});

describe("the state files", () => {
  const remote = { FACILITATOR_PRIVATE_KEY: `0x${"ab".repeat(32)}`, NETWORK_MAINNET_RPC_URL: "https://node.example" };

  test("are relative to the current folder, and --state both loads and writes", () => {
    const file = join(root, "a.json");
    const toFiles = (env: Record<string, string>) => loadConfig(env, root).stateFiles;
    expect(toFiles({})).toBeUndefined();
    expect(toFiles({ TOLLSCAN_STATE: "a.json" })).toMatchObject({ load: file, dump: file, isLoadOptional: true });
    const both = { TOLLSCAN_LOAD_STATE: "a.json", TOLLSCAN_DUMP_STATE: "b.json" };
    expect(toFiles(both)).toMatchObject({ load: file, dump: join(root, "b.json"), isLoadOptional: false });
    expect(toFiles({ ...remote, TOLLSCAN_STATE: "a.json" })).toBeDefined();
  });

  test.each<[Record<string, string>, string]>([
    [
      { TOLLSCAN_STATE: "a", TOLLSCAN_LOAD_STATE: "b" },
      "TOLLSCAN_STATE and TOLLSCAN_LOAD_STATE can't be combined; unset one of them.",
    ],
    [{ TOLLSCAN_STATE: "a", TOLLSCAN_DUMP_STATE: "b" }, "TOLLSCAN_STATE and TOLLSCAN_DUMP_STATE can't be combined"],
    [
      { TOLLSCAN_DUMP_STATE: "a", DATABASE_URL: "postgres://u@db.example/app" },
      "TOLLSCAN_DUMP_STATE and DATABASE_URL can't be combined; unset one of them.",
    ],
    [
      { ...remote, TOLLSCAN_STATE: "a", TOLLSCAN_NETWORKS: "mainnet" },
      "TOLLSCAN_STATE is not available on the remote or imported network mainnet.",
    ],
  ])("are rejected if they can't be used: %j", (env, says) => {
    expect(complaint(() => loadConfig(env, root))).toContain(says);
  });
});

test("rejects an invalid DATABASE_URL without repeating it, because it contains a password", () => {
  for (const url of ["mysql://me:secret@host/db", "postgres://me:secret@host", "secret"]) {
    const sentence = complaint(() => loadConfig({ DATABASE_URL: url }, root));
    expect(sentence).toMatch(/^DATABASE_URL /);
    expect(sentence).not.toContain("secret");
  }
  const { databaseUrl } = loadConfig({ DATABASE_URL: "postgresql://me:secret@host/db?sslmode=require" }, root);
  expect(databaseUrl).toBe("postgresql://me:secret@host/db?sslmode=require");
});

describe("a network backed by a remote node", () => {
  const key = `0x${"ab".repeat(32)}`;
  const url = "https://node.example/v2/secretsecret";
  const own = { FACILITATOR_PRIVATE_KEY: key, NETWORK_MAINNET_RPC_URL: url };

  test("keeps its name and its USDC, and has no funded accounts", () => {
    const settings = {
      NETWORK_MAINNET_CONFIRMATIONS: "3",
      NETWORK_MAINNET_MAX_FEE_GWEI: "0.5",
      NETWORK_MAINNET_PAYEES: `0x${"AB".repeat(20)}, 0x${"cd".repeat(20)}`,
    };
    const { networks, publicNodes } = loadConfig({ ...own, ...settings }, root);
    const [testnet, mainnet] = networks;
    expect(testnet.embedded).toBe(true);
    expect(mainnet).toMatchObject({ name: "mainnet", embedded: false, funded: [] });
    expect(mainnet!.tokens.map(({ symbol }) => symbol)).toEqual(["USDC"]);
    expect(publicNodes.get("mainnet")).toEqual({
      url,
      variable: "NETWORK_MAINNET_RPC_URL",
      confirmations: 3,
      maxFeeWei: 500_000_000n,
      minAmount: "0.001",
      payees: [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`],
      payerGas: 20_000_000,
      contractGas: 500_000,
    });
    expect(JSON.stringify(networks, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "secret",
    );
  });

  test.each<[label: string, env: Record<string, string>, says: string]>([
    [
      "a list of keys that includes a well-known one",
      { ...own, FACILITATOR_PRIVATE_KEY: `${key}, ${getDevAccount(1).privateKey}` },
      "FACILITATOR_PRIVATE_KEY must be a key of your own",
    ],
    ["a missing key", { NETWORK_MAINNET_RPC_URL: url }, "FACILITATOR_PRIVATE_KEY must be a key of your own"],
    [
      "the test mnemonic's first key",
      { ...own, FACILITATOR_PRIVATE_KEY: getDevAccount(0).privateKey },
      "FACILITATOR_PRIVATE_KEY must be a key of your own if NETWORK_MAINNET_RPC_URL is set",
    ],
    [
      "the test mnemonic's hundredth key in uppercase",
      { ...own, FACILITATOR_PRIVATE_KEY: `0x${getDevAccount(99).privateKey.slice(2).toUpperCase()}` },
      "FACILITATOR_PRIVATE_KEY must be a key of your own",
    ],
    [
      "TOLLSCAN_DETERMINISTIC",
      { ...own, TOLLSCAN_DETERMINISTIC: "on" },
      "TOLLSCAN_DETERMINISTIC must be off if NETWORK_MAINNET_RPC_URL is set",
    ],
    ["a malformed URL", { ...own, NETWORK_MAINNET_RPC_URL: "node" }, "NETWORK_MAINNET_RPC_URL must be a URL"],
    ["another protocol", { ...own, NETWORK_MAINNET_RPC_URL: "ws://node.example" }, "must be an http or https URL"],
    ["an empty URL", { ...own, NETWORK_MAINNET_RPC_URL: " " }, "NETWORK_MAINNET_RPC_URL is set but empty"],
    [
      "an unknown network",
      { ...own, NETWORK_SEPOLIA_RPC_URL: url },
      "NETWORK_SEPOLIA_RPC_URL does not match a network",
    ],
    ["a negative minimum", { ...own, NETWORK_MAINNET_MIN_AMOUNT: "-1" }, "must be a decimal number of tokens"],
    ["a short payee", { ...own, NETWORK_MAINNET_PAYEES: "0xab" }, "NETWORK_MAINNET_PAYEES must be addresses"],
    ["settings without a URL", { NETWORK_TESTNET_CONFIRMATIONS: "2" }, "NETWORK_TESTNET_RPC_URL is missing"],
    ["zero confirmations", { ...own, NETWORK_MAINNET_CONFIRMATIONS: "0" }, "NETWORK_MAINNET_CONFIRMATIONS"],
    ["a maximum fee of zero", { ...own, NETWORK_MAINNET_MAX_FEE_GWEI: "0" }, "NETWORK_MAINNET_MAX_FEE_GWEI"],
  ])("can't be configured with %s", (_label, env, says) => {
    const message = complaint(() => loadConfig(env, root));
    expect(message).toContain(says);
    expect(message).not.toContain("secretsecret");
  });
});

describe("TOLLSCAN_LABELS", () => {
  const load = (text: string) => {
    writeFileSync(join(root, "labels.json"), text);
    return loadConfig({ TOLLSCAN_LABELS: "labels.json" }, root);
  };

  test("gives names to addresses", () => {
    expect(loadConfig({}, root).labels).toEqual({});
    expect(load(`{ "0x${"Ab".repeat(20)}": "Treasury" }`).labels).toEqual({ [`0x${"ab".repeat(20)}`]: "Treasury" });
  });

  test.each([
    ["an address that isn't one", '{ "0x12": "Treasury" }', "which is invalid: “0x12” is not an address."],
    ["invalid JSON", "{", "which is invalid: Labels must be valid JSON."],
    ["a huge file", " ".repeat(1_000_001), "which is larger than a megabyte."],
  ])("rejects %s", (_, text, says) => {
    expect(complaint(() => load(text))).toContain(says);
  });

  test("rejects a file that can't be read", () => {
    expect(complaint(() => loadConfig({ TOLLSCAN_LABELS: "nowhere.json" }, root))).toContain("which cannot be read.");
  });
});

describe("the networks file", () => {
  test("replaces the default networks", () => {
    const { networks } = loadFile([network]);
    expect(networks).toHaveLength(1);
    expect(networks[0]).toMatchObject({ name: "devnet", label: "Devnet", chainId: 31337, embedded: true });
    expect(networks[0].tokens[0]!.address).toBe("0x00000000000000000000000000000000000000a1");
    expect(networks[0].funded).toHaveLength(10);
  });

  test("funds the accounts it lists", () => {
    const account = { address: `0x${"0B".repeat(20)}`, balanceWei: "12", tokenUnits: "34" };
    const { networks } = loadFile([{ ...network, funded: [account] }]);
    expect(networks[0].funded).toEqual([{ address: `0x${"0b".repeat(20)}`, balanceWei: 12n, tokenUnits: 34n }]);
  });

  test.each<[label: string, content: unknown, says: string]>([
    ["invalid JSON", "[", "is not JSON"],
    ["an object", network, "invalid at its top level"],
    ["an empty list", [], "invalid at"],
    ["a number as a name", [{ ...network, name: "10143" }], "invalid at 0.name"],
    ["a reserved path as a name", [{ ...network, name: "api" }], "invalid at 0.name"],
    ["chain ID 0", [{ ...network, chainId: 0 }], "invalid at 0.chainId"],
    ["a chain ID as a string", [{ ...network, chainId: "1" }], "invalid at 0.chainId"],
    ["an unknown field", [{ ...network, rpc: "x" }], "rpc"],
    ["the same name twice", [network, { ...network, chainId: 2 }], "the name devnet twice"],
    ["the same chain ID twice", [network, { ...network, name: "other" }], "the chain ID 31337 twice"],
    ["the same token twice", [{ ...network, tokens: [token, token] }], "the token address"],
    ["a short address", [{ ...network, tokens: [{ ...token, address: "0x1" }] }], "invalid at 0.tokens.0.address"],
    [
      "EIP-3009 without a domain",
      [{ ...network, tokens: [{ ...token, eip712: undefined }] }],
      "without an eip712 name and version",
    ],
    [
      "a fractional amount",
      [{ ...network, funded: [{ address: token.address, balanceWei: "1.5", tokenUnits: "0" }] }],
      "invalid at 0.funded.0.balanceWei",
    ],
  ])("is rejected with %s", (_label, content, says) => {
    expect(complaint(() => loadFile(content))).toContain(says);
  });
});

test("the README lists exactly the variables and options that exist, each with its default", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| (`[A-Z_<>]+`(?:, `--[a-z-]+`)?) \| (.+) \| (.+) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  expect(rows).toEqual(
    [...variables, ...networkVariables].map((variable) => {
      const { name, option, fallback, whenUnset = "none", meaning } = variable;
      const cell = option ? `\`${name}\`, \`--${option}\`` : `\`${name}\``;
      return [cell, fallback === "" ? whenUnset : `\`${fallback}\``, meaning];
    }),
  );
});

test("the README's example of a networks file is valid", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const example = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(loadFile(example).networks[0].chainId).toBe(31337);
});

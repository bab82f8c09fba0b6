/**
 * Generates programs from an exchange. They run unchanged, and pay for the same resource from a new account. Also
 * generates the server's code; flowCode.test.ts runs each program.
 */
import { toAbsolute, toCurl } from "@/lib/payflow/stepCode";
import type { SentRequest } from "@/lib/x402/payFetch";
import { findPermit2Contracts } from "@/lib/x402/permit2Contracts";
import { toDecimal } from "@/lib/x402/price";
import { findTransferMethod } from "@/lib/x402/signedPayment";
import { findChainId } from "@/lib/x402/signPayment";
import type { PaymentRequirements } from "@/lib/x402/types";

export const codeNames = ["curl", "x402Fetch", "viem", "withPayment", "x402Next"] as const;
export type CodeName = (typeof codeNames)[number];

export type CodeFacts = {
  /** The node's origin, and the name that the node uses for the network. */
  origin: string;
  network: string;
  /** Whether the network has a faucet. */
  hasFaucet: boolean;
  decimals: number;
  request: SentRequest;
  /** Undefined until the resource has been requested. */
  requirement?: PaymentRequirements | undefined;
  paid?: SentRequest | undefined;
  /** Whether the payment was rejected, so that its signature is still unused. */
  isRejected?: boolean;
  /** Whether the payment's signature was removed, so that it can't be sent again. */
  isRedacted?: boolean;
};

/**
 * Finds the code with the given name. Returns undefined if the exchange hasn't reached the step that the code needs.
 */
export function findCode(name: CodeName, facts: CodeFacts): string | undefined {
  const { requirement } = facts;
  if (name === "curl") return toCurlScript(facts);
  if (!requirement) return undefined;
  const toText = { x402Fetch: toX402Fetch, viem: toViem, withPayment: toWithPayment, x402Next: toX402Next }[name];
  return toText(facts, requirement);
}

function toCurlScript({ origin, request, paid, isRejected, isRedacted }: CodeFacts): string {
  const ask = ["# Returns 402 with the price in the PAYMENT-REQUIRED header.", toCurl(request, origin)];
  if (!paid) return ask.join("\n");
  if (isRedacted) {
    const note = [
      "# Recordings have no signatures, so this payment can't be",
      "# sent again. The other samples make a new one.",
    ];
    return [...ask, "", ...note].join("\n");
  }
  return [
    ...ask,
    "",
    ...(isRejected
      ? ["# Sends the payment that was rejected here."]
      : ["# Sends the payment signed here. It works only once:", "# if you send it again, no money moves."]),
    toCurl(paid, origin),
  ].join("\n");
}

const text = (value: string) => JSON.stringify(value);

/** Lines of code that declare the account and, if there is a faucet, fund it. */
function toAccount({ origin, network, hasFaucet }: CodeFacts): string[] {
  const rpc = `${origin}/api/rpc/${network}`;
  if (!hasFaucet) {
    return ["// The private key of a funded account.", "const account = privateKeyToAccount(process.env.PRIVATE_KEY);"];
  }
  return [
    "async function rpc(method, ...params) {",
    `  const response = await fetch(${text(rpc)}, {`,
    '    method: "POST",',
    '    headers: { "content-type": "application/json" },',
    '    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),',
    "  });",
    "  const { result, error } = await response.json();",
    "  if (error) throw new Error(error.message);",
    "  return result;",
    "}",
    "",
    "// A new account, funded by the faucet.",
    "const account = privateKeyToAccount(generatePrivateKey());",
    'const { tokenTransaction } = await rpc("explorer_fund", account.address);',
    'while (!(await rpc("eth_getTransactionReceipt", tokenTransaction))) {',
    "  await new Promise((resolve) => setTimeout(resolve, 100));",
    "}",
  ];
}

function toInitLines({ method, headers, body }: SentRequest, indent: string): string[] {
  if (method === "GET" && body === undefined) return [];
  return [
    `${indent}method: ${text(method)},`,
    ...(Object.keys(headers).length > 0 ? [`${indent}headers: ${JSON.stringify(headers)},`] : []),
    ...(body === undefined ? [] : [`${indent}body: ${quoteJs(body)},`]),
  ];
}

/** Quotes the text with single quotes if possible, because JSON is easier to read inside them. */
function quoteJs(body: string): string {
  return /['\\\n]/.test(body) ? text(body) : `'${body}'`;
}

function toX402Fetch(facts: CodeFacts, requirement: PaymentRequirements): string {
  const { origin, network, request } = facts;
  const init = toInitLines(request, "  ");
  const url = text(toAbsolute(request.url, origin));
  return [
    "// npm install @x402/fetch @x402/evm viem && node pay.mjs",
    'import { ExactEvmScheme } from "@x402/evm/exact/client";',
    'import { UptoEvmScheme } from "@x402/evm/upto/client";',
    'import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";',
    'import { createPublicClient, http } from "viem";',
    'import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";',
    "",
    ...toAccount(facts),
    "",
    `const chain = createPublicClient({ transport: http(${text(`${origin}/api/rpc/${network}`)}) });`,
    "const signer = { address: account.address, signTypedData: account.signTypedData, readContract: chain.readContract };",
    "const client = new x402Client()",
    `  .register(${text(requirement.network)}, new ExactEvmScheme(signer))`,
    `  .register(${text(requirement.network)}, new UptoEvmScheme(signer))`,
    "  // The default spend controls only allow well-known assets.",
    "  .setSpendControls(false);",
    "",
    `const response = await wrapFetchWithPayment(fetch, client)(${url}${init.length > 0 ? ", {" : ");"}`,
    ...(init.length > 0 ? [...init, "});"] : []),
    "console.log(response.status, await response.text());",
    'const settlement = response.headers.get("PAYMENT-RESPONSE");',
    "if (settlement) console.log(decodePaymentResponseHeader(settlement));",
    "",
  ].join("\n");
}

function toViem(facts: CodeFacts, requirement: PaymentRequirements): string {
  const { origin, request } = facts;
  const permit2 = findTransferMethod(requirement) === "permit2";
  const init = toInitLines(request, "  ");
  return [
    "// npm install viem && node pay.mjs",
    'import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";',
    ...(permit2 ? ['import { createWalletClient, erc20Abi, http, publicActions } from "viem";'] : []),
    "",
    ...toAccount(facts),
    "",
    `const url = ${text(toAbsolute(request.url, origin))};`,
    init.length > 0 ? "const init = {" : "const init = {};",
    ...(init.length > 0 ? [...init, "};"] : []),
    "const asked = await fetch(url, init);",
    "const decode = (header) => JSON.parse(Buffer.from(header, 'base64').toString());",
    "const { accepts, resource } = decode(asked.headers.get('PAYMENT-REQUIRED'));",
    `const accepted = accepts.find(({ scheme, network }) => scheme === ${text(requirement.scheme)} && network === ${text(requirement.network)});`,
    "",
    "const now = Math.floor(Date.now() / 1000);",
    "const nonce = '0x' + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');",
    ...(permit2 ? toPermit2Lines(facts, requirement) : toEip3009Lines(requirement)),
    "",
    "const header = Buffer.from(JSON.stringify({ x402Version: 2, resource, accepted, payload })).toString('base64');",
    "const response = await fetch(url, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': header } });",
    "console.log(response.status, await response.text());",
    "const settlement = response.headers.get('PAYMENT-RESPONSE');",
    "if (settlement) console.log(decode(settlement));",
    "",
  ].join("\n");
}

function toEip3009Lines({ network }: PaymentRequirements): string[] {
  return [
    "const authorization = {",
    "  from: account.address,",
    "  to: accepted.payTo,",
    "  value: accepted.amount,",
    '  validAfter: "0",',
    "  validBefore: String(now + accepted.maxTimeoutSeconds),",
    "  nonce,",
    "};",
    "const signature = await account.signTypedData({",
    `  domain: { ...accepted.extra, chainId: ${findChainId(network)}, verifyingContract: accepted.asset },`,
    "  types: {",
    "    TransferWithAuthorization: [",
    ...[
      "from address",
      "to address",
      "value uint256",
      "validAfter uint256",
      "validBefore uint256",
      "nonce bytes32",
    ].map(toField("      ")),
    "    ],",
    "  },",
    '  primaryType: "TransferWithAuthorization",',
    "  message: authorization,",
    "});",
    "const payload = { signature, authorization };",
  ];
}

function toField(indent: string): (line: string) => string {
  return (line) => {
    const [name, type] = line.split(" ");
    return `${indent}{ name: "${name}", type: "${type}" },`;
  };
}

function toPermit2Lines({ origin, network }: CodeFacts, requirement: PaymentRequirements): string[] {
  const { permit2, proxy } = findPermit2Contracts(requirement) ?? { permit2: "0x", proxy: "0x" };
  const chainId = findChainId(requirement.network);
  const isUpto = requirement.scheme === "upto";
  const url = text(`${origin}/api/rpc/${network}`);
  const field = toField("      ");
  // `checkReplacement` is off. With the check, viem can miss the transaction's block and then wait for another block,
  // which an idle chain never mines.
  return [
    "",
    "// Permit2 moves the token, so it needs an approval.",
    `const permit2 = ${text(permit2)};`,
    `const chain = { id: ${chainId}, name: ${text(network)}, nativeCurrency: { name: "", symbol: "", decimals: 18 }, rpcUrls: { default: { http: [${url}] } } };`,
    "const wallet = createWalletClient({ account, chain, transport: http(), pollingInterval: 100 }).extend(publicActions);",
    "const hash = await wallet.writeContract({",
    "  address: accepted.asset,",
    "  abi: erc20Abi,",
    '  functionName: "approve",',
    "  args: [permit2, BigInt(accepted.amount)],",
    "});",
    "await wallet.waitForTransactionReceipt({ hash, checkReplacement: false });",
    "",
    "const permit2Authorization = {",
    "  permitted: { token: accepted.asset, amount: accepted.amount },",
    "  from: account.address,",
    `  spender: ${text(proxy)},`,
    "  nonce: BigInt(nonce).toString(),",
    "  deadline: String(now + accepted.maxTimeoutSeconds),",
    isUpto
      ? '  witness: { to: accepted.payTo, facilitator: accepted.extra.facilitatorAddress, validAfter: "0" },'
      : '  witness: { to: accepted.payTo, validAfter: "0" },',
    "};",
    "const signature = await account.signTypedData({",
    `  domain: { name: "Permit2", chainId: ${chainId}, verifyingContract: permit2 },`,
    "  types: {",
    "    PermitWitnessTransferFrom: [",
    ...["permitted TokenPermissions", "spender address", "nonce uint256", "deadline uint256", "witness Witness"].map(
      field,
    ),
    "    ],",
    "    TokenPermissions: [",
    ...["token address", "amount uint256"].map(field),
    "    ],",
    "    Witness: [",
    ...(isUpto
      ? ["to address", "facilitator address", "validAfter uint256"]
      : ["to address", "validAfter uint256"]
    ).map(field),
    "    ],",
    "  },",
    '  primaryType: "PermitWitnessTransferFrom",',
    "  message: permit2Authorization,",
    "});",
    "const payload = { signature, permit2Authorization };",
  ];
}

function toWithPayment(
  { origin, network, decimals, request }: CodeFacts,
  { scheme, amount, payTo }: PaymentRequirements,
) {
  const isUpto = scheme === "upto";
  return [
    "// npm install ./tollscan.tgz",
    '// tollscan isn\'t on npm yet: "npm run pack" in a clone makes the tarball.',
    "// app/api/quote/route.ts, in any Next app",
    'import { createPaywall } from "tollscan/server";',
    "",
    `const { withPayment } = createPaywall({ facilitatorUrl: ${text(`${origin}/api/facilitator`)} });`,
    "",
    "const handler = withPayment(",
    "  {",
    `    price: ${text(`$${toDecimal(BigInt(amount), decimals)}`)},`,
    ...(isUpto ? ['    scheme: "upto",'] : []),
    `    networks: [${text(network)}],`,
    `    payTo: ${text(payTo)},`,
    `    methods: [${text(request.method)}],`,
    "  },",
    isUpto ? "  async (request, payment) => {" : "  async () => {",
    ...(isUpto ? ["    // The amount to charge, in the token's smallest unit.", "    payment.charge(100n);"] : []),
    '    return Response.json({ quote: "Buy low, sell high." });',
    "  },",
    ");",
    "",
    `export { handler as ${request.method}, handler as OPTIONS };`,
    "",
  ].join("\n");
}

function toX402Next({ origin, request }: CodeFacts, requirement: PaymentRequirements): string {
  const { scheme, network, amount, asset, payTo, extra } = requirement;
  const name = scheme === "upto" ? "UptoEvmScheme" : "ExactEvmScheme";
  const details = { ...extra };
  delete details.facilitatorAddress;
  return [
    "// npm install @x402/next @x402/core @x402/evm",
    "// app/api/quote/route.ts, in any Next app",
    `import { ${name} } from "@x402/evm/${scheme}/server";`,
    'import { HTTPFacilitatorClient } from "@x402/core/http";',
    `import { ${scheme === "upto" ? "setSettlementOverrides, " : ""}withX402, x402ResourceServer } from "@x402/next";`,
    'import { NextResponse } from "next/server";',
    "",
    `const facilitator = new HTTPFacilitatorClient({ url: ${text(`${origin}/api/facilitator`)} });`,
    `const server = new x402ResourceServer(facilitator).register(${text(network)}, new ${name}());`,
    "",
    `export const ${request.method} = withX402(`,
    "  async () => {",
    '    const response = NextResponse.json({ quote: "Buy low, sell high." });',
    ...(scheme === "upto" ? ['    setSettlementOverrides(response, { amount: "100" });'] : []),
    "    return response;",
    "  },",
    "  {",
    "    accepts: {",
    `      scheme: ${text(scheme)},`,
    `      network: ${text(network)},`,
    `      payTo: ${text(payTo)},`,
    `      price: { asset: ${text(asset)}, amount: ${text(amount)}, extra: ${JSON.stringify(details)} },`,
    "    },",
    `    description: ${text("A quote")},`,
    "  },",
    "  server,",
    ");",
    "",
  ].join("\n");
}

/** File names for the generated code. */
export const codeFiles: Record<CodeName, string> = {
  curl: "pay.sh",
  x402Fetch: "pay.mjs",
  viem: "pay.mjs",
  withPayment: "route.ts",
  x402Next: "route.ts",
};

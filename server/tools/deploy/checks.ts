/**
 * Checks a deployment over HTTP: pages, JSON-RPC, the stream and a whole payment. Without a database, pages must say
 * that there is none, and payments must be rejected.
 */
import assert from "node:assert/strict";
import { privateKeyToAccount } from "viem/accounts";
import { createRpcRequest } from "@/lib/rpc/client";
import type { PaymentSigner } from "@/lib/x402/payer";
import { payFetch } from "@/lib/x402/payFetch";
import { listDevAccounts } from "@/server/config/devAccounts";

export type Check = { title: string; run(origin: string): Promise<void> };

const network = "testnet";
/** Text that every page must contain if the deployment has no database. */
const noDatabaseNotice = "This deployment has no database.";
const [account] = listDevAccounts().map(({ privateKey }) => privateKeyToAccount(privateKey)) as [
  ReturnType<typeof privateKeyToAccount>,
];
const limitMs = 60_000;

const ask = (origin: string, method: string, params: unknown[] = []) =>
  createRpcRequest(`${origin}/api/rpc/${network}`)({ method, params } as never) as Promise<unknown>;

const get = (origin: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers, redirect: "manual", signal: AbortSignal.timeout(limitMs) });

async function getText(origin: string, path: string, status = 200): Promise<string> {
  const response = await get(origin, path);
  const text = await response.text();
  assert.equal(response.status, status, `${path} answers ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

async function transfer(origin: string): Promise<{ transactionHash: string; blockNumber: string }> {
  const nonce = Number(await ask(origin, "eth_getTransactionCount", [account.address, "pending"]));
  const chainId = Number(await ask(origin, "eth_chainId"));
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId,
    nonce,
    to: listDevAccounts()[5]!.address,
    value: 7n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  return (await ask(origin, "eth_sendRawTransactionSync", [raw, 10_000])) as never;
}

/** Checks for a deployment with a database, in order. */
export const checks: readonly Check[] = [
  {
    title: "health reports Postgres and is ready",
    async run(origin) {
      const health = JSON.parse(await getText(origin, "/api/health"));
      assert.equal(health.status, "ok");
      assert.equal(health.persistent, true);
      for (const { store } of health.networks) assert.equal(store.kind, "postgres");
    },
  },
  {
    title: "the root redirects to a network's page, which has a security policy and no notice about the database",
    async run(origin) {
      const root = await get(origin, "/");
      assert.match(String(root.headers.get("location")), new RegExp(`/${network}$`));
      const page = await get(origin, `/${network}`);
      assert.equal(page.status, 200);
      assert.match(String(page.headers.get("content-security-policy")), /'nonce-[^']+' 'strict-dynamic'/);
      assert.equal(page.headers.get("x-frame-options"), "DENY");
      const html = await page.text();
      const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1];
      assert.ok(html.includes(`nonce="${nonce}"`), "the page's scripts lack the policy's nonce");
      assert.ok(!html.includes(noDatabaseNotice), "the page says that there is no database");
      const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1];
      assert.ok(script, "the page loads no script");
      const file = await get(origin, script);
      assert.equal(file.status, 200);
      assert.match(String(file.headers.get("cache-control")), /immutable/);
    },
  },
  {
    title: "a transaction sent to one function is mined and shown on the pages of another",
    async run(origin) {
      const { transactionHash, blockNumber } = await transfer(origin);
      assert.ok((await getText(origin, `/${network}/tx/${transactionHash}`)).includes(transactionHash));
      const block = Number(blockNumber);
      assert.ok((await getText(origin, `/${network}/block/${block}`)).includes(transactionHash));
      const flight = await get(origin, `/${network}/blocks`, { rsc: "1" });
      assert.match(String(flight.headers.get("content-type")), /^text\/x-component/);
      assert.ok((await flight.text()).length > 1_000);
    },
  },
  {
    title: "JSON-RPC serves batches, calls, traces, other networks and its own description",
    async run(origin) {
      const body = JSON.stringify([
        { jsonrpc: "2.0", id: 1, method: "eth_chainId" },
        { jsonrpc: "2.0", id: 2, method: "eth_nope" },
      ]);
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${origin}/api/rpc/${network}`, { method: "POST", headers, body });
      const [chainId, unknown] = (await response.json()) as { result?: string; error?: { message: string } }[];
      assert.equal(chainId?.result, "0x279f");
      assert.match(String(unknown?.error?.message), /eth_nope/);
      const block = (await ask(origin, "eth_getBlockByNumber", ["latest", true])) as {
        transactions: { hash: string }[];
      };
      await ask(origin, "debug_traceTransaction", [block.transactions[0]!.hash, { tracer: "callTracer" }]);
      const call = { from: account.address, to: account.address, value: "0x1" };
      assert.equal(await ask(origin, "eth_call", [call, "latest"]), "0x");
      assert.match(await getText(origin, "/api/rpc/mainnet"), /"openrpc"/);
      assert.match(await getText(origin, "/llms.txt"), /eth_getBalance|JSON-RPC/);
    },
  },
  {
    title: "the stream reports a block that another request produces",
    async run(origin) {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), limitMs);
      const response = await fetch(`${origin}/api/stream/${network}`, { signal: stop.signal });
      assert.match(String(response.headers.get("content-type")), /^text\/event-stream/);
      const { transactionHash } = await transfer(origin);
      let text = "";
      try {
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          if (text.includes("event: head") && text.includes(transactionHash)) return;
        }
        assert.fail("the stream ended before the block arrived");
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
    },
  },
  {
    title: "a resource is sold: 402, signature, settlement, receipt, ledger, page",
    async run(origin) {
      const url = `${origin}/api/paid/block-digest`;
      const unpaid = await fetch(url);
      assert.equal(unpaid.status, 402);
      const { accepts } = JSON.parse(Buffer.from(unpaid.headers.get("payment-required") ?? "", "base64").toString());
      const limit = { network: accepts[0].network, asset: accepts[0].asset, maxUnits: 10n ** 9n };
      const { response, settlement } = await payFetch(url, {
        signer: account as PaymentSigner,
        spendLimits: [limit],
      });
      assert.equal(
        response.status,
        200,
        `the paid request has status ${response.status}: ${await response.clone().text()}`,
      );
      assert.equal(settlement?.success, true);
      const receipt = await ask(origin, "eth_getTransactionReceipt", [settlement!.transaction]);
      assert.equal((receipt as { status: string }).status, "0x1");
      const path = `/api/facilitator/settlements/${settlement!.transaction}`;
      const { settlements } = JSON.parse(await getText(origin, path));
      assert.equal(settlements.length, 1);
      const page = await getText(origin, `/${network}/payments`);
      assert.ok(page.includes(account.address.toLowerCase()) || page.includes(account.address));
      const catalog = JSON.parse(await getText(origin, "/.well-known/x402"));
      assert.ok(catalog.items.length > 0);
    },
  },
  {
    title: "an unknown path is a 404, as a page and as JSON",
    async run(origin) {
      assert.match(await getText(origin, `/${network}/no/such/page`, 404), /<html/);
      assert.match(await getText(origin, "/api/nothing", 404), /^\{"error"/);
    },
  },
];

/** Checks for a deployment without a database. */
export const checksWithoutDatabase: readonly Check[] = [
  {
    title: "every page and the health report say that there is no database",
    async run(origin) {
      for (const path of [`/${network}`, `/${network}/blocks`, `/${network}/playground`, `/${network}/console`]) {
        assert.ok(
          (await getText(origin, path)).includes(noDatabaseNotice),
          `${path} does not mention the missing database`,
        );
      }
      assert.ok((await getText(origin, `/${network}/no/such/page`, 404)).includes(noDatabaseNotice));
      const health = JSON.parse(await getText(origin, "/api/health"));
      assert.equal(health.status, "temporary");
      assert.equal(health.persistent, false);
    },
  },
  {
    title: "payments are refused before anyone signs",
    async run(origin) {
      assert.match(await getText(origin, "/api/paid/block-digest", 503), /no_database/);
      assert.deepEqual(JSON.parse(await getText(origin, "/api/facilitator/supported")).kinds, []);
    },
  },
  {
    title: "JSON-RPC serves the instance's own chain",
    async run(origin) {
      assert.equal(await ask(origin, "eth_chainId"), "0x279f");
    },
  },
];

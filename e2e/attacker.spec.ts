/** Tests that another site's pages can read from the node on the visitor's machine but can't change anything. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { getFundedAccount } from "./pages/walletAccounts";
import config from "./playwright.config";

const { launchOptions } = config.use ?? {};
// The attacker's hostnames resolve to this machine. The browser's own protections are turned off, so that only the node
// can block the attacks.
test.use({
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      "--disable-features=LocalNetworkAccessChecks",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
    ],
  },
});

const victim = `0x${"ab".repeat(20)}`;
const unlocked = getFundedAccount(0).address;
const toBody = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
/** Requests that need no signature and would change the chain. */
const attempts = {
  "a dev control": toBody("anvil_setBalance", [victim, "0x1"]),
  "a dev control in a batch": `[${toBody("eth_chainId", [])},${toBody("evm_mine", [])}]`,
  "an unlocked account": toBody("eth_sendTransaction", [{ from: unlocked, to: victim, value: "0x1" }]),
  impersonation: toBody("anvil_impersonateAccount", [victim]),
  "the faucet": toBody("explorer_fund", [victim]),
};

let attacker: Server;
let attackerOrigin: string;
test.beforeAll(async () => {
  attacker = createServer((_req, res) => {
    res.setHeader("content-type", "text/html");
    res.end("<!doctype html><title>A prize for you</title><body></body>");
  });
  attacker.listen(0, "127.0.0.1");
  await once(attacker, "listening");
  attackerOrigin = `http://attacker.example:${(attacker.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  attacker.close();
  attacker.closeAllConnections();
});

const toPath = (baseURL: string | undefined) => `${baseURL}/api/rpc/testnet`;

/** Reads the parts of the chain's state that a successful attack would change. */
async function readState(request: APIRequestContext): Promise<unknown[]> {
  const reads = [
    toBody("eth_blockNumber", []),
    toBody("eth_getBalance", [victim, "pending"]),
    toBody("eth_getTransactionCount", [unlocked, "pending"]),
  ];
  const answers = reads.map(async (data) => {
    const headers = { "content-type": "application/json" };
    return (await (await request.post("/api/rpc/testnet", { headers, data })).json()).result;
  });
  return Promise.all(answers);
}

/** Runs an attack and checks that the chain stays as it was. */
async function withoutEffect(request: APIRequestContext, attack: () => Promise<void>): Promise<void> {
  const before = await readState(request);
  await attack();
  expect(await readState(request)).toEqual(before);
}

type Post = { url: string; body: string; type?: string; mode?: RequestMode };

/** Sends a POST from the page. Returns what the page's script can read: the status and body text, or "opaque". */
const post = (page: Page, sent: Post) =>
  page.evaluate(async ({ url, body, type, mode = "cors" }) => {
    // If the body were a string, fetch would set a content type. For a typed array, it doesn't.
    const bytes = new TextEncoder().encode(body);
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const response = await fetch(url, { method: "POST", headers, body: bytes, mode });
    return response.type === "opaque" ? "opaque" : `${response.status} ${await response.text()}`;
  }, sent);

for (const [what, body] of Object.entries(attempts)) {
  test(`a page on another site can't use ${what} with fetch`, async ({ page, baseURL, request }) => {
    await page.goto(attackerOrigin);
    await withoutEffect(request, async () => {
      const url = toPath(baseURL);
      // Browsers send requests that have these content types without a preflight.
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", undefined]) {
        expect(await post(page, { url, body, ...(type && { type }) })).toMatch(/^415 /);
        expect(await post(page, { url, body, mode: "no-cors", ...(type && { type }) })).toBe("opaque");
      }
      expect(await post(page, { url, body, type: "application/json" })).toContain('"code":-32004');
      const isQueued = await page.evaluate(([to, text]) => navigator.sendBeacon(to!, text), [url, body]);
      expect(isQueued).toBe(true);
    });
  });

  test(`a page on another site can't use ${what} over WebSocket`, async ({ page, baseURL, request }) => {
    await page.goto(attackerOrigin);
    await withoutEffect(request, async () => {
      const answer = await page.evaluate(
        ([url, text]) =>
          new Promise<string>((resolve, reject) => {
            const socket = new WebSocket(url!);
            socket.onopen = () => socket.send(text!);
            socket.onmessage = ({ data }) => resolve(data);
            socket.onerror = () => reject(new Error("The connection failed."));
          }),
        [toPath(baseURL).replace("http", "ws"), body],
      );
      expect(answer).toContain('"code":-32004');
    });
  });
}

test("a form on another site can't send a JSON-RPC request", async ({ page, baseURL, request }) => {
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    await page.goto(attackerOrigin);
    await withoutEffect(request, async () => {
      const answered = page.waitForResponse(toPath(baseURL));
      await page.evaluate(
        ([action, type, text]) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", action, enctype: type });
          const field = document.createElement("input");
          // If a form is sent as text/plain, its body is the field's name, "=" and the field's value. Here they form a
          // JSON document.
          Object.assign(field, { name: `${text!.slice(0, -1)},"ignored":"`, value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        [toPath(baseURL), enctype, attempts["a dev control"]],
      );
      expect((await answered).status()).toBe(415);
      // Waits for this navigation to finish, so that the next one doesn't interrupt it.
      await page.waitForURL(toPath(baseURL));
    });
  }
});

test("a sandboxed frame, whose origin is null, can't change anything", async ({ page, baseURL, request }) => {
  await page.goto(attackerOrigin);
  await withoutEffect(request, async () => {
    const body = attempts["a dev control"];
    const answer = await page.evaluate(
      ([url, text]) =>
        new Promise<string>((resolve) => {
          window.addEventListener("message", ({ data }) => resolve(data));
          const frame = document.createElement("iframe");
          frame.sandbox.add("allow-scripts");
          const sent = JSON.stringify({ method: "POST", headers: { "content-type": "application/json" }, body: text });
          frame.srcdoc = `<script>fetch(${JSON.stringify(url)}, ${sent}).then((response) => response.text())
            .then((answer) => parent.postMessage(answer, "*"), (error) => parent.postMessage(String(error), "*"))</script>`;
          document.body.append(frame);
        }),
      [toPath(baseURL), body],
    );
    expect(answer).toContain('"code":-32004');
  });
});

test("a page whose hostname was rebound to this machine gets no response over HTTP or WebSocket", async ({
  page,
  baseURL,
  request,
}) => {
  const { port } = new URL(baseURL!);
  await withoutEffect(request, async () => {
    const answer = await page.goto(`http://rebound.example:${port}/`);
    expect(answer?.status()).toBe(421);
    for (const body of [toBody("eth_chainId", []), ...Object.values(attempts)]) {
      expect(await post(page, { url: "/api/rpc/testnet", body, type: "application/json" })).toMatch(/^421 /);
    }
    const outcome = await page.evaluate(
      (host) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://${host}/api/rpc/testnet`);
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        }),
      `rebound.example:${port}`,
    );
    expect(outcome).toBe("refused");
  });
});

test("a page on another site can read the chain", async ({ page, baseURL }) => {
  await page.goto(attackerOrigin);
  const body = toBody("eth_chainId", []);
  expect(await post(page, { url: toPath(baseURL), body, type: "application/json" })).toMatch(/^200 .*"0x279f"/);
  const supported = await page.evaluate(
    async (url) => (await fetch(url)).status,
    `${baseURL}/api/facilitator/supported`,
  );
  expect(supported).toBe(200);
});

test("a malformed URL gets a 400 response, even on the paths of pages", async ({ baseURL }) => {
  for (const path of ["/%", "/testnet/tx/%ff", "/testnet/block/%E0%A4"]) {
    expect((await fetch(`${baseURL}${path}`)).status).toBe(400);
  }
  expect((await fetch(`${baseURL}/testnet/tx/%ff`, { method: "POST", body: "x" })).status).toBe(400);
});

/** A page of another site against the node on the visitor's machine: it may read but change nothing. */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import config from "./playwright.config";

const { launchOptions } = config.use ?? {};
// Disables the browser's own protection of local networks, so that only the node can stop the page.
test.use({
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), "--disable-features=LocalNetworkAccessChecks"],
  },
});

const victim = `0x${"ab".repeat(20)}`;

test("a page on another site can read but can't change anything, over HTTP and WebSocket", async ({
  page,
  baseURL,
  request,
}) => {
  await page.route("http://attacker.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A prize for you</title>" }),
  );
  await page.goto("http://attacker.example/");
  const answers = await page.evaluate(
    async ([url, address]) => {
      const toBody = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const post = async (type: string, body: string) => {
        const response = await fetch(url!, { method: "POST", headers: { "content-type": type }, body });
        return { status: response.status, ...(await response.json()) };
      };
      const askBySocket = (body: string) =>
        new Promise<string>((resolve, reject) => {
          const socket = new WebSocket(url!.replace("http", "ws"));
          socket.onopen = () => socket.send(body);
          socket.onmessage = ({ data }) => resolve(data);
          socket.onerror = () => reject(new Error("The connection failed."));
        });
      const setBalance = toBody("anvil_setBalance", [address, "0x1"]);
      return {
        asText: await post("text/plain", setBalance),
        asJson: await post("application/json", setBalance),
        bySocket: JSON.parse(await askBySocket(setBalance)),
        faucet: await post("application/json", toBody("explorer_fund", [address])),
        read: await post("application/json", toBody("eth_blockNumber", [])),
      };
    },
    [`${baseURL}/api/rpc/testnet`, victim],
  );
  expect(answers).toMatchObject({
    asText: { status: 415, error: { code: -32600 } },
    asJson: { error: { code: -32004 } },
    bySocket: { error: { code: -32004 } },
    faucet: { error: { code: -32004 } },
    read: { status: 200, result: expect.stringMatching(/^0x/) },
  });
  const call = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [victim, "latest"] };
  expect(await (await request.post("/api/rpc/testnet", { data: call })).json()).toMatchObject({ result: "0x0" });
});

/**
 * Tests the playground: a first payment in two clicks, every payment method with a burner and a browser wallet, step
 * details, shared flows, payments for any URL, and the payment pages.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";
import { getFundedAccount, getFundedKey } from "./pages/walletAccounts";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

async function bringBurner(page: Page, index: number): Promise<void> {
  await page.addInitScript(
    ([name, value]) => localStorage.setItem(name as string, value as string),
    ["tollscan.burner", getFundedKey(index)],
  );
}

test("a newcomer settles a payment in two clicks", async ({ page }) => {
  await page.goto("/testnet");
  await page.getByRole("banner").getByRole("link", { name: "Playground" }).click();
  await page.getByRole("button", { name: "Pay 0.01 USDC" }).click();
  await expect(createPlaygroundPage(page).paid).toBeVisible();
});

test("a payment is signed for the chain's clock, even if that is an hour ahead", async ({ page, request, baseURL }) => {
  const call = async (method: string, params: unknown[] = []) => {
    const data = { jsonrpc: "2.0", id: 1, method, params };
    return (await (await request.post(`${baseURL}/api/rpc/testnet`, { data })).json()).result;
  };
  const snapshot = await call("evm_snapshot");
  try {
    await call("evm_increaseTime", [3600]);
    const playground = createPlaygroundPage(page);
    await playground.open();
    await playground.payButton.click();
    await expect(playground.paid).toBeVisible();
  } finally {
    expect(await call("evm_revert", [snapshot])).toBe(true);
  }
});

/**
 * One resource for each payment method: a signed transfer, Permit2 with a token that lacks EIP-3009, and a metered
 * payment.
 */
const ways = [
  { name: "exact via EIP-3009", title: "Block digest", primaryType: "TransferWithAuthorization" },
  { name: "exact via Permit2", title: "Address report", primaryType: "PermitWitnessTransferFrom" },
  { name: "upto via Permit2", title: "Metered JSON-RPC", primaryType: "PermitWitnessTransferFrom" },
];

for (const payer of ["a burner", "a browser wallet"] as const) {
  for (const { name, title, primaryType } of ways) {
    test(`${payer} pays ${name}`, async ({ page }) => {
      const playground = createPlaygroundPage(page);
      if (payer === "a burner") {
        await bringBurner(page, 3);
        await playground.open();
      } else {
        const account = getFundedAccount(6);
        const extension = await installWallet(page, account);
        const wallet = createWalletDialog(page);
        await playground.open();
        await wallet.open();
        await wallet.press(/Test Wallet/);
        await expect(wallet.dialog).toContainText(account.address);
        await wallet.close();
        expect(extension.requests.some(({ method }) => method === "eth_requestAccounts")).toBe(true);
      }
      const link = page.getByRole("navigation", { name: "Paid resources" }).getByRole("link", { name: title });
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(playground.payButton).toHaveAttribute("aria-disabled", "false");
      await playground.pay();
      await expect(playground.step(`Sign ${primaryType}`)).not.toHaveCount(0);
      // Doesn't check the preflight's result. The preflight fails without an allowance, although the sponsored permit
      // makes the allowance unnecessary.
      await expect(playground.step("Preflight")).toHaveCount(1);
      await expect(playground.step(/\d+ checks passed/)).toHaveCount(1);
      await expect(playground.step("Settlement:")).toHaveCount(1);
      await expect(playground.step(/Block [\d,]+ is final/)).toHaveCount(1);
      await expect(playground.step("The payer’s balance went from")).toHaveCount(1);
      // Lists show a payment between its parties, even if the facilitator sent it to a proxy.
      await page.goto("/testnet/txs");
      const row = page.getByRole("table", { name: "Transactions" }).locator("tbody tr").first();
      await expect(row).toContainText("payment");
      await expect(row).toContainText("Demo seller");
    });
  }
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 360, height: 800 },
]) {
  test(`the price and the pay button are on the first screen at ${size.width} pixels`, async ({ page }) => {
    await page.setViewportSize(size);
    const playground = createPlaygroundPage(page);
    await playground.open();
    const price = page.getByRole("link", { name: "Block digest 0.01 USDC" });
    for (const shown of [price, playground.payButton]) await expect(shown).toBeInViewport({ ratio: 1 });
  });
}

test("on a phone, the offer is between the button and the exchange, and paying scrolls to the exchange", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await expect(playground.payButton).toHaveAttribute("aria-disabled", "false");
  const offer = await page.getByRole("region", { name: "Resource" }).boundingBox();
  const diagram = await page.getByRole("region", { name: "How a payment works" }).boundingBox();
  expect(offer!.y).toBeLessThan((await playground.payButton.boundingBox())!.y + 120);
  expect(offer!.y + offer!.height).toBeLessThan(diagram!.y);
  await playground.pay();
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeInViewport();
});

test("every step shows its details", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  const { step, openTab } = playground;
  await playground.open();
  await playground.pay();
  const expectParts = async (text: string | RegExp, tab: string, ...parts: (string | RegExp)[]) => {
    await openTab(text, tab);
    for (const part of parts) await expect(step(text)).toContainText(part);
  };
  await expectParts("The price is", "Decoded", '"accepts": [', "PAYMENT-REQUIRED header as sent");
  await expectParts("Selected", "Summary", "Selected: can be signed and paid");
  await step("Preflight:")
    .getByRole("button", { name: /^Details:/ })
    .click();
  for (const rule of ["Balance", "EIP-712 domain", "Clock offset from the server", "Chain ID", "Token’s code"]) {
    await expect(step("Preflight:").getByRole("row", { name: rule })).toContainText("passed");
  }
  await expectParts(
    "Sign TransferWithAuthorization",
    "Summary",
    /Domain separator\s*0x[0-9a-f]{64}/,
    /Struct hash\s*0x[0-9a-f]{64}/,
    /Digest\s*0x[0-9a-f]{64}/,
  );
  await expectParts("Signed by", "Summary", /Recovered\s*Account 3/, "low, as EIP-2 requires");
  await expectParts("with the payment", "Summary", /Amount\s*0\.01 USDC \(10,000 units\)/, "Valid before", "Met: same");
  await expectParts("Verify the payment", "Decoded", '"paymentRequirements": {');
  await expectParts("Success with the transaction", "Decoded", '"success": true');
  await expectParts(/\d+ checks passed/, "Summary", "Expiration (validBefore)");
  await expectParts("Settlement:", "Decoded", "transferWithAuthorization(", "USDC");
  await step("Settlement:").getByRole("button", { name: "Raw", exact: true }).click();
  await expect(step("Settlement:")).toContainText("0x02f9");
  await expectParts("Mined in block", "Summary", /Gas\s*[\d,]+/, /Cost\s*[\d,]+ wei/);
  await expectParts("Settled:", "Decoded", '"success": true', "PAYMENT-RESPONSE header as sent");
  await expectParts("Received", "Decoded", '"network": "testnet"');
  await expectParts("The payer’s balance", "Summary", /Payer[\d.,]+ USDC → [\d.,]+ USDC/, "Payee");
});

test("no lifeline runs through the timeline's texts", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await playground.pay();
  for (const width of [768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const crossed = await page.locator(".diagram-line").evaluateAll((lines) =>
      lines.flatMap((line) => {
        const title = line.querySelector(".diagram-title")!;
        // Its own background hides the lifelines.
        if (getComputedStyle(title).backgroundColor !== "rgba(0, 0, 0, 0)") return [];
        const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const texts: DOMRect[] = [];
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
          // A hash clips its text.
          const hash = text.parentElement?.closest(".hash");
          range.selectNodeContents(text);
          texts.push(...(hash ?? range).getClientRects());
        }
        return [...line.querySelectorAll(".diagram-lanes > [data-lane]")]
          .map((lane) => lane.getBoundingClientRect().left)
          .filter((x) => texts.some(({ left, right }) => left < x && x < right))
          .map((x) => `${title.textContent} crosses ${Math.round(x)}`);
      }),
    );
    expect.soft(crossed, `at ${width}`).toEqual([]);
  }
});

test("a payment with a changed field shows that field's failed check", async ({ page }) => {
  await bringBurner(page, 3);
  const { open, pay, paid, refusal, step } = createPlaygroundPage(page);
  await open();
  await pay();
  await page.getByText("Change a field and send again").click();
  const field = (name: string) => page.getByRole("textbox", { name });
  const send = page.getByRole("button", { name: "Sign and send" });
  const expectFailed = async (rule: string, reason: string) => {
    await expect(refusal).toContainText(reason);
    const row = step(`Check failed: ${rule}`).getByRole("row", { name: rule });
    await expect(row).toContainText("failed");
  };

  await field("Amount, USDC").fill("0.02");
  await send.click();
  await expectFailed("Amount", "invalid_exact_evm_payload_authorization_value_mismatch");
  await field("Amount, USDC").fill("0.01");
  await field("Expires in (seconds)").fill("-60");
  await send.click();
  await expectFailed("Expiration", "invalid_exact_evm_payload_authorization_valid_before");
  await field("Expires in (seconds)").fill("60");
  await field("Domain version").fill("7");
  await send.click();
  await expectFailed("Signature", "invalid_exact_evm_signature");
  await field("Domain version").fill("2");
  await send.click();
  await expect(paid).toBeVisible();
  await expect(step("Mined in block")).toBeVisible();
  await page.getByRole("button", { name: "Reuse the last nonce" }).click();
  await send.click();
  await expectFailed("Nonce", "invalid_exact_evm_nonce_already_used");
});

test("a short link shows the flow without signatures and links to the payment", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await playground.pay();
  await expect(playground.step("The payer’s balance")).toHaveCount(1);
  const count = await playground.steps.count();
  await expect(page).toHaveURL(/[?&]flow=[a-z0-9]{12}$/);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied.").first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.length).toBeLessThanOrEqual(60);

  const stranger = await context.newPage();
  const explorer = createExplorerPage(stranger);
  await stranger.goto(link);
  const shared = createPlaygroundPage(stranger);
  await expect(shared.steps).toHaveCount(count);
  await expect(explorer.heading).toHaveText(/^Paid 0\.01 USDC in [\d,]+ ms$/);
  // The result doesn't repeat the page's title.
  await expect(stranger.getByRole("main").getByText("Paid 0.01 USDC")).toHaveCount(1);
  await expect(stranger).toHaveTitle(/^Paid 0\.01 USDC in [\d,]+ ms/);
  await expect(stranger.locator('meta[property="og:title"]')).toHaveAttribute("content", /^Paid 0\.01 USDC in/);
  await shared.openTab("Signed by", "Decoded");
  await expect(shared.step("Signed by")).toContainText('"signature": "redacted"');
  // A copied command without a signature would only be rejected, so a client that signs is shown first.
  await expect(stranger.getByRole("region", { name: "Code" })).toContainText("@x402/fetch");
  await stranger.getByRole("region", { name: "Code" }).getByRole("button", { name: "curl" }).click();
  await expect(stranger.getByRole("region", { name: "Code" })).toContainText("Recordings have no signatures");
  await expect(stranger.getByRole("region", { name: "Code" })).not.toContainText("PAYMENT-SIGNATURE");
  expect(await explorer.listViolations()).toEqual([]);

  await stranger.getByRole("link", { name: "View payment" }).click();
  await expect(stranger).toHaveURL(/\/testnet\/payments\/0x[0-9a-f]{64}$/);
  await expect(stranger.getByRole("region", { name: "Timeline" })).toContainText("Verified");
  await stranger.goto("/testnet/flow/unknown22222");
  await expect(stranger.getByRole("main")).toContainText("Flow not found");
});

test("a flow survives a reload and Back, without its own history entry", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await playground.pay();
  await expect(playground.step("The payer’s balance")).toHaveCount(1);
  const count = await playground.steps.count();
  await expect(page).toHaveURL(/[?&]flow=/);

  await page.reload();
  await expect(playground.steps).toHaveCount(count);
  await expect(playground.paid).toContainText("Paid 0.01 USDC");
  await expect(page.getByRole("region", { name: "Response body" })).toContainText('"network": "testnet"');

  await page.getByRole("link", { name: "View payment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Payment");
  await expect(page).toHaveURL(/\/payments\/0x/);
  await page.goBack();
  await expect(playground.steps).toHaveCount(count);
  await expect(playground.paid).toContainText("Paid 0.01 USDC");

  // Another payment replaces the flow in the URL.
  const before = page.url();
  await playground.pay();
  await expect(page).toHaveURL((url) => url.searchParams.has("flow") && url.href !== before);
});

test("a rejected payment of the failure lab survives a reload", async ({ page }) => {
  await bringBurner(page, 3);
  await page.goto("/testnet/playground/failures");
  await page.getByRole("button", { name: /^One unit more/ }).click();
  const { refusal } = createPlaygroundPage(page);
  await expect(refusal).toContainText("The authorized value is not the required amount");
  await expect(page).toHaveURL(/[?&]flow=/);
  await page.reload();
  await expect(refusal).toContainText("The authorized value is not the required amount");
  await expect(page.getByRole("main")).toContainText("value_mismatch");
  await expect(page.getByRole("button", { name: /^One unit more/ })).toHaveAttribute("aria-current", "true");
});

test("a downloaded flow includes signatures only if the user chooses to include them", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await playground.pay();
  const take = async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download timeline" }).click(),
    ]);
    const stream = await download.createReadStream();
    let text = "";
    for await (const chunk of stream) text += chunk;
    return JSON.parse(text) as {
      version: number;
      steps: { kind: string; payload?: { payload: { signature: string } } }[];
    };
  };
  const find = (flow: Awaited<ReturnType<typeof take>>) =>
    flow.steps.find(({ kind }) => kind === "signature")?.payload?.payload.signature;
  expect(find(await take())).toBe("redacted");
  await page.getByRole("checkbox", { name: "Include signatures in the file" }).check();
  expect(find(await take())).toMatch(/^0x[0-9a-f]{130}$/);
});

test("the exchange is shown as five code samples", async ({ page, baseURL }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await playground.pay();
  const code = page.getByRole("region", { name: "Code" });
  for (const [tab, text] of [
    ["curl", `curl -i '${baseURL}/api/paid/block-digest`],
    ["@x402/fetch", "wrapFetchWithPayment(fetch, client)"],
    ["viem", "account.signTypedData({"],
    ["Server", 'price: "$0.01"'],
    ["@x402/next", "export const GET = withX402("],
  ] as const) {
    await code.getByRole("button", { name: tab, exact: true }).click();
    await expect(code).toContainText(text);
  }
});

test("a URL of this node and one of a seller on this machine can be paid", async ({ page, baseURL }) => {
  await bringBurner(page, 3);
  await page.goto("/testnet/playground/url");
  await expect(page.getByRole("region", { name: "How a payment works" })).toContainText("402 with the price");
  await page.getByRole("textbox", { name: "URL" }).fill(`${baseURL}/api/paid/block-digest`);
  await page.getByRole("button", { name: "Get the price" }).click();
  await createPlaygroundPage(page).payButton.click();
  await expect(createPlaygroundPage(page).paid).toBeVisible();
  const seller = createServer(async (_, response) => {
    const { headers } = await fetch(`${baseURL}/api/paid/block-digest?network=testnet`);
    response.writeHead(402, { "payment-required": headers.get("payment-required") ?? "" }).end();
  });
  await new Promise<void>((resolve) => seller.listen(0, "127.0.0.1", resolve));
  try {
    const inside = `http://127.0.0.1:${(seller.address() as AddressInfo).port}/report`;
    await page.goto(`/testnet/playground/url?url=${encodeURIComponent(inside)}`);
    const { fact } = createExplorerPage(page);
    // A link from elsewhere doesn't make the server request the URL.
    await expect(fact("Price")).toContainText("Press “Get the price”.");
    const ask = page.getByRole("button", { name: "Get the price" });
    await ask.click();
    await expect(fact("Price")).toContainText("0.01 USDC");
    await expect(fact("Network")).toContainText("Testnet (eip155:10143)");
    await expect(fact("Payee")).toContainText("Demo seller");
    await ask.click();
    await expect(fact("Price")).toContainText("0.01 USDC");
    // The form asks for the price at once.
    await page.goto("/testnet/playground/url");
    await page.getByRole("textbox", { name: "URL" }).fill(inside);
    await ask.click();
    await expect(fact("Price")).toContainText("0.01 USDC");
    // The network menu keeps the tab and the URL.
    await page.getByRole("navigation", { name: "Network" }).getByRole("button").click();
    await page.getByRole("navigation", { name: "Network" }).getByRole("link", { name: "Base Sepolia" }).click();
    await expect(page).toHaveURL(/\/base-sepolia\/playground\/url\?method=GET&url=/);
    await expect(fact("Network")).toContainText("Testnet (eip155:10143)");
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(1);
    await page.getByRole("link", { name: "Pay on Testnet" }).click();
    await expect(page).toHaveURL(`/testnet/playground/url?url=${encodeURIComponent(inside)}&method=GET`);
    await createPlaygroundPage(page).payButton.click();
    await expect(fact("Price")).toContainText("0.01 USDC");
  } finally {
    seller.close();
  }
  await page.goto("/testnet/playground/url?url=ftp%3A%2F%2Fx.example");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Enter a URL");
});

test("a URL that another network of this node can pay leads to that network", async ({ page, baseURL }) => {
  await bringBurner(page, 3);
  const { payButton, paid } = createPlaygroundPage(page);
  const { fact } = createExplorerPage(page);
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
  const query = new URLSearchParams({ url: `${baseURL}/api/paid/rpc?network=base-sepolia`, method: "POST", body });
  await page.goto(`/testnet/playground/url?${query}`);
  await expect(fact("Price")).toContainText("USDC on Base Sepolia");
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/^This page can’t pay on Base Sepolia/);
  await expect(payButton).toHaveCount(0);
  await page.getByRole("link", { name: "Pay on Base Sepolia" }).click();
  await expect(page).toHaveURL(`/base-sepolia/playground/url?${query}`);
  await payButton.click();
  await expect(paid).toBeVisible();
});

test("each example of a URL to pay shows its price, or why it can't be paid", async ({ page }) => {
  await bringBurner(page, 3);
  const explorer = createExplorerPage(page);
  const { paid, payButton, refusal, step } = createPlaygroundPage(page);
  const main = page.getByRole("main");
  const choose = async (name: RegExp) => {
    const example = page.getByRole("navigation", { name: "Examples" }).getByRole("link", { name });
    await example.click();
    // Until the page has changed, its buttons belong to the example before.
    await expect(example).toHaveAttribute("aria-current", "page");
  };
  await explorer.open("/playground/url");
  await choose(/^Fixed price/);
  await expect(explorer.fact("Price")).toContainText("0.01 USDC");
  await payButton.click();
  await expect(paid).toBeVisible();
  await expect(step("Mined in block")).toBeVisible();

  await choose(/^Free/);
  await expect(main).toContainText("No payment required");
  await choose(/^Private address/);
  await expect(refusal).toContainText("This URL is blocked");
  await expect(refusal).toContainText("Fix: Use a public http or https URL");
  await choose(/^Failing facilitator/);
  await expect(explorer.fact("Price")).toContainText("0.01 USDC");
  await payButton.click();
  await expect(refusal).toContainText("unexpected_error");
  expect(await explorer.listViolations()).toEqual([]);
});

test("the ledger filters payments and links to totals and the facilitator", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  const explorer = createExplorerPage(page);
  await playground.open();
  await playground.pay();
  const payer = getFundedAccount(3).address.toLowerCase();
  await page.goto(`/testnet/payments?payer=${payer}&state=settled`);
  const rows = page.getByRole("table", { name: "Ledger" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("Settled");
  for (const link of await rows
    .locator(`td a[href*="/address/"]`)
    .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? "").filter((_, index) => index % 4 === 0))) {
    expect(link).toContain(payer);
  }
  await page.goto(`/testnet/payments?payer=0x${"12".repeat(20)}`);
  await expect(page.getByRole("main")).toContainText("No payments match");
  await page.goto(`/testnet/payments?payer=0x${"12".repeat(20)}&state=failed`);
  await expect(page.getByRole("main")).toContainText("Payments that a check rejects before settlement aren’t listed.");

  await page.getByRole("link", { name: "Clear filter" }).click();
  await expect(page).toHaveURL(/\/testnet\/payments$/);
  await page.getByRole("navigation", { name: "Filter by status" }).getByRole("link", { name: "Settled" }).click();
  await expect(page).toHaveURL(/\/testnet\/payments\?state=settled$/);
  await expect(rows.nth(1)).toContainText("Settled");

  await page.goto("/testnet/payments/resources");
  await expect(explorer.fact("Volume")).toContainText("USDC");
  await expect(explorer.fact("Settled payments")).toHaveText(/^\d+$/);
  // The seed's payments were for the same resource of another server. This server's host isn't in its rows.
  const url = new URL("/api/paid/block-digest?network=testnet", page.url()).href;
  const link = page.locator(`a[href$="${new URLSearchParams({ resource: url })}"]`).filter({ hasText: "block-digest" });
  await expect(page.getByRole("row").filter({ has: link })).toContainText("USDC");
  await link.click();
  await expect(page).toHaveURL(/\/testnet\/payments\?resource=/);
  // The series needs payments from at least two seconds. It is a list until there are five spans.
  const listUrl = page.url();
  const series = page.getByRole("region", { name: /^Settled USDC per (second|\d+ |minute)/ });
  await expect(async () => {
    await playground.open();
    await playground.pay();
    await page.goto(listUrl);
    await expect(series).toContainText("USDC", { timeout: 5000 });
  }).toPass();

  await page.goto("/testnet/payments/facilitator");
  await expect(explorer.fact("Status")).toHaveText("Ready");
  await expect(explorer.fact("Gas limit per payer")).toHaveText("none");
  await expect(page.getByRole("region", { name: "Use it from your server" })).toContainText("/api/facilitator");
  await expect(page.getByRole("region", { name: "Latest settlements" })).toContainText("/api/paid/block-digest");
  await expect(explorer.fact("Transactions sent", "Relayer")).toHaveText(/^[\d,]+$/);
  await expect(explorer.fact("Settled")).toHaveText(/^\d+( ?in \d+ transactions?)?$/);
  await expect(explorer.fact("Failed")).toHaveText(/^\d+( \(.+%\))?$/);
  expect(await explorer.listViolations()).toEqual([]);
});

test("a transaction links to its payment, whose page shows the payment's data", async ({ page }) => {
  await bringBurner(page, 3);
  const playground = createPlaygroundPage(page);
  const explorer = createExplorerPage(page);
  await playground.open();
  await playground.pay();
  const transaction = await playground.paid.locator('a[href*="/tx/"]').getAttribute("href");
  await page.goto(transaction ?? "");
  await page.locator('main a[href*="/payments/0x"]').first().click();
  await expect(page).toHaveURL(/\/testnet\/payments\/0x[0-9a-f]{64}$/);
  await expect(explorer.heading).toContainText("0.01 USDC");
  await expect(page.getByRole("main").getByText("Settled", { exact: true })).toBeVisible();
  await expect(explorer.fact("Resource")).toContainText("/api/paid/block-digest");
  await expect(explorer.fact("Gas fee")).toContainText(/^[\d.]+ gwei[\d,]+ gas × [\d.]+ gwei, paid by /);
  await expect(explorer.fact("Buyer paid")).toContainText("0.01 USDC");
  await expect(explorer.fact("Seller keeps")).toContainText("All of it: the facilitator takes no fee.");
  const flow = page.getByRole("region", { name: "Timeline" });
  await expect(flow).toContainText("402 Payment Required");
  await expect(page).toHaveTitle(/^Paid 0\.01 USDC in/);
  for (const text of [/Verified/, "Settlement:", "Mined in block", "Ledger: settled", "is final", "balance"]) {
    await expect(flow.getByRole("listitem").filter({ hasText: text })).toHaveCount(1);
  }
  expect(await explorer.listViolations()).toEqual([]);
  await page.goto(`/testnet/payments/0x${"0".repeat(64)}`);
  await expect(page.getByRole("main")).toContainText("Payment not found");
});

test.describe("at 360 pixels", () => {
  test.use({ viewport: { width: 360, height: 740 } });
  for (const path of [
    "payments",
    "payments/resources",
    "payments/facilitator",
    "playground/url",
    "flow/unknown22222",
  ]) {
    test(`${path} fits the screen`, async ({ page }) => {
      const explorer = createExplorerPage(page);
      await explorer.open(`/${path}`);
      await expect(explorer.heading).toBeVisible();
      expect(await explorer.overflow()).toBeLessThanOrEqual(0);
      expect(await explorer.listViolations()).toEqual([]);
    });
  }
});

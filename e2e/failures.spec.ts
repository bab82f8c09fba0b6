/**
 * Tests the failure lab. For each case, one click shows the documented reason, who rejected the payment, the requested
 * value, the value received, and the fix.
 */
import { expect, type Page } from "@playwright/test";
import { findRuleLabel } from "../components/playground/ruleLabel";
import { getReason, type Reason } from "../lib/x402/reason";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { getFundedAccount, getFundedKey } from "./pages/walletAccounts";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

const verify = "Facilitator, verify";
const settle = "Facilitator, settle";
const server = "Resource server, before calling the facilitator";

type Expected = {
  title: string;
  reason: Reason;
  where: string;
  asked: RegExp;
  given: RegExp;
  /** The fix that the page shows. Defaults to the fix documented for the reason. */
  fix?: string;
};

const usdc = "0.01 USDC";
/** The transaction that used a nonce. */
const nonceUser = /0x[0-9a-f]{64}/;
const cases: Expected[] = [
  {
    title: "Wrong domain name",
    reason: "invalid_exact_evm_signature",
    where: verify,
    asked: /domain name USDC/,
    given: /domain name USD Coin/,
    fix: "Set the domain’s name to USDC, as in the 402 response.",
  },
  {
    title: "Expired",
    reason: "invalid_exact_evm_payload_authorization_valid_before",
    where: verify,
    asked: /^Expectedat least \d{4}-.* UTC$/,
    given: /^Got\d{4}-.* UTC$/,
  },
  {
    title: "Not yet valid",
    reason: "invalid_exact_evm_payload_authorization_valid_after",
    where: verify,
    asked: /^Expectedat most \d{4}-.* UTC$/,
    given: /^Got\d{4}-.* UTC$/,
  },
  {
    title: "One unit more",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    where: verify,
    asked: new RegExp(usdc),
    given: /0\.010001 USDC/,
  },
  {
    title: "One unit less",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    where: verify,
    asked: new RegExp(usdc),
    given: /0\.009999 USDC/,
  },
  {
    title: "Wrong payee",
    reason: "invalid_exact_evm_recipient_mismatch",
    where: verify,
    asked: /Demo seller/,
    given: /0x0{36}dead/i,
  },
  {
    title: "Wrong chain",
    reason: "invalid_exact_evm_signature",
    where: verify,
    asked: /eip155:10143/,
    given: /eip155:143/,
    fix: "Set the domain’s chainId to 10143, as in the 402 response.",
  },
  {
    title: "Replayed payment",
    reason: "invalid_exact_evm_nonce_already_used",
    where: verify,
    asked: /an unused nonce/,
    given: nonceUser,
  },
  {
    title: "High s",
    reason: "invalid_exact_evm_signature",
    where: verify,
    asked: /s ≤ n\/2/,
    given: /s = 0x[89a-f]/,
    fix: "If the signature's s is above n/2, use s = n - s and flip v.",
  },
  { title: "Empty balance", reason: "insufficient_funds", where: verify, asked: new RegExp(usdc), given: /0 USDC/ },
  { title: "Version 1 payload", reason: "invalid_x402_version", where: server, asked: /2/, given: /1/ },
  {
    title: "Facilitator error",
    reason: "unexpected_error",
    where: "Resource server, calling its facilitator",
    asked: /a response from the facilitator/,
    given: /The facilitator returned HTTP 500 for \/verify/,
    fix: "check the facilitator’s status and logs",
  },
  {
    title: "upto: above the maximum",
    reason: "invalid_upto_evm_payload_settlement_exceeds_amount",
    where: settle,
    asked: /at most 0\.005 USDC/,
    given: /0\.005001 USDC/,
  },
  {
    title: "upto: outdated client",
    reason: "invalid_permit2_spender",
    where: verify,
    asked: /x402UptoPermit2Proxy/,
    given: /0x402039b3d6e6bec5a02c2c9fd937ac17a6940002/i,
  },
];

function createLab(page: Page) {
  const outcome = page.getByRole("main").locator(".play-outcome");
  return {
    outcome,
    steps: page.getByRole("region", { name: "Timeline" }).getByRole("listitem"),
    case: (title: string) => page.getByRole("button", { name: new RegExp(`^${title}`) }),
    /** What a case returned. It replaces the reason to expect. */
    result: (title: string) =>
      page.getByRole("button", { name: new RegExp(`^${title}`) }).locator(".lab-result:has(svg)"),
    fact: (label: string) =>
      outcome
        .locator(".info-row")
        .filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) })
        .first(),
    async open(key = getFundedKey(4)) {
      await page.addInitScript(
        ([name, value]) => localStorage.setItem(name as string, value as string),
        ["tollscan.burner", key],
      );
      await page.goto("/testnet/playground/failures");
      await expect(page.getByText(/^Payer/)).toBeVisible();
    },
    async expectRefusal({ title, reason, where, asked, given, fix = getReason(reason).fix }: Expected) {
      await expect(this.result(title)).toContainText(reason);
      await expect(this.fact("Where")).toContainText(where);
      await expect(this.fact("Expected")).toContainText(asked);
      await expect(this.fact(given === nonceUser ? "Nonce used in" : "Got")).toContainText(given);
      await expect(outcome).toContainText(fix);
    },
  };
}

test.describe.configure({ mode: "default" });

test("shows the values that differ and the failed check together", async ({ page }) => {
  const lab = createLab(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await lab.open();
  await lab.case("Wrong payee").click();
  await expect(page.getByRole("heading", { name: "Payment rejected, as expected" })).toBeInViewport();
  await expect(lab.fact("Got")).toBeInViewport();
  // The case has the reason.
  await expect(lab.fact("Reason")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /^failed Recipient/ })).toBeInViewport();
  const passed = page.getByRole("row", { name: /^passed Balance/ });
  await expect(passed).toHaveCount(0);
  await page.getByRole("button", { name: /^Show \d+ passed checks$/ }).click();
  await expect(passed).toBeVisible();
});

test("each case shows its documented reason, both values and the fix", async ({ page }) => {
  test.setTimeout(180_000);
  const lab = createLab(page);
  await lab.open();
  for (const expected of cases) {
    await test.step(expected.title, async () => {
      await lab.case(expected.title).click();
      await lab.expectRefusal(expected);
      await expect(lab.steps.filter({ hasText: `Check failed: ${findRuleLabel(expected.reason)}` })).toHaveCount(
        ["replayed", "facilitator", "above"].some((word) => expected.title.toLowerCase().includes(word)) ? 0 : 1,
      );
    });
  }
});

test("the fixes can be read without a run, and a burner runs a case that a wallet can't", async ({ page }) => {
  const extension = await installWallet(page, getFundedAccount(7));
  const wallet = createWalletDialog(page);
  const lab = createLab(page);
  await page.goto("/testnet/playground/failures");
  await page.getByRole("button", { name: "Show fixes" }).click();
  const { fix } = getReason("invalid_x402_version");
  await expect(page.getByText(fix)).toBeVisible();
  await page.getByRole("button", { name: "Hide fixes" }).click();
  await expect(page.getByText(fix)).toHaveCount(0);

  await wallet.open();
  extension.declineNext("wallet_addEthereumChain");
  await wallet.press(/Test Wallet/);
  await expect(wallet.failure).toContainText("You declined the switch to Testnet in the wallet.");
  await wallet.close();
  extension.declineNext("wallet_addEthereumChain");
  await lab.case("Version 1 payload").click();
  await expect(lab.outcome).toContainText("You declined the switch to Testnet in the wallet.");
  await expect(page.getByText(fix)).toBeVisible();
  await page.evaluate((key) => localStorage.setItem("tollscan.burner", key), getFundedKey(4));
  await lab.outcome.getByRole("button", { name: "Switch to a burner account and run" }).click();
  await expect(lab.result("Version 1 payload")).toContainText("invalid_x402_version");
  expect(extension.listSignatures()).toEqual([]);
});

test("a group runs all its cases, and each one keeps its reason", async ({ page }) => {
  const lab = createLab(page);
  await lab.open();
  await page.getByRole("button", { name: "Run all 2: Signature" }).click();
  for (const title of ["Wrong domain name", "High s"]) {
    await expect(lab.result(title)).toHaveText("invalid_exact_evm_signature as expected");
  }
  await expect(page.getByRole("button", { name: "Run all 2: Signature" })).toHaveAttribute("aria-disabled", "false");
  await expect(lab.case("High s")).toHaveAttribute("aria-current", "true");
  await expect(lab.result("Expired")).toHaveCount(0);
});

test("all cases run one after another, whatever their group", async ({ page }) => {
  test.setTimeout(180_000);
  const lab = createLab(page);
  await lab.open();
  const runAll = page.getByRole("button", { name: "Run all 17" });
  await runAll.click();
  await expect(lab.result("Timeout after broadcast")).toHaveText("settlement_pending as expected");
  await expect(runAll).toHaveAttribute("aria-disabled", "false");
  await expect(lab.result("One unit more")).toHaveText(
    "invalid_exact_evm_payload_authorization_value_mismatch as expected",
  );
  await expect(lab.result("upto: zero usage")).toHaveText("Settled");
  await expect(page.locator(".lab-result:has(svg)")).toHaveCount(17);

  // The ledger names what a failed payment was for, and an amount of zero needs no settlement.
  await page.goto("/testnet/payments?state=failed");
  const failed = page.getByRole("row").filter({ hasText: "invalid_upto_evm_payload_settlement_exceeds_amount" });
  await expect(failed.first()).toContainText("/api/paid/rpc");
  await page.goto("/testnet/payments");
  await expect(page.getByRole("row").filter({ hasText: "Nothing to settle" }).first()).toContainText("/api/paid/rpc");
});

test("a signer with the right clock can pay, and one whose clock is ahead is rejected", async ({ page }) => {
  const lab = createLab(page);
  await lab.open();
  // The facilitator simulates payments with the latest block's timestamp, so this case runs first to mine a recent
  // block.
  await lab.case("Replayed payment").click();
  await expect(lab.result("Replayed payment")).toContainText("invalid_exact_evm_nonce_already_used");
  const slider = page.getByRole("slider", { name: /signer’s clock/ });
  await slider.fill("0");
  await expect(lab.case("Not yet valid")).toContainText("200 OK");
  await lab.case("Not yet valid").click();
  await expect(lab.outcome).toContainText("Paid 0.01 USDC");
  await slider.fill("1200");
  await lab.case("Not yet valid").click();
  await expect(lab.result("Not yet valid")).toContainText("invalid_exact_evm_payload_authorization_valid_after");
});

test("a missing allowance returns 412, and the same payment settles after the approval", async ({ page }) => {
  const lab = createLab(page);
  await lab.open();
  await lab.case("Missing allowance").click();
  await lab.expectRefusal({
    title: "Missing allowance",
    reason: "permit2_allowance_required",
    where: verify,
    asked: /0\.005 USDC/,
    given: /0 USDC/,
  });
  await expect(lab.steps.filter({ hasText: "412 Precondition Failed" })).toHaveCount(1);
  await lab.outcome.getByRole("button", { name: "Approve Permit2 and resend the payment" }).click();
  await expect(lab.outcome).toContainText("Paid 0.0001 USDC");
  await expect(lab.result("Missing allowance")).toHaveText("Settled after the fix");
  await expect(lab.steps.filter({ hasText: "Approved Permit2" })).toHaveCount(1);
  await expect(lab.steps.filter({ hasText: "Signed by" })).toHaveCount(1);
});

test("a payment whose response is lost is reported as settled, and sending it again never pays twice", async ({
  page,
}) => {
  const lab = createLab(page);
  await lab.open();
  await lab.case("Timeout after broadcast").click();
  await lab.expectRefusal({
    title: "Timeout after broadcast",
    reason: "settlement_pending",
    where: settle,
    asked: /a response from the facilitator/,
    given: /Can't reach the facilitator/,
  });
  // Only the ledger shows that the payment settled.
  await expect(lab.outcome).toContainText("Payment settled, but the client never got confirmation");
  await expect(lab.steps.filter({ hasText: "Mined in block" })).toHaveCount(1);
  await lab.outcome.getByRole("button", { name: "Resend the payment" }).click();
  await expect(lab.outcome).toContainText("Paid 0.01 USDC");
  await expect(lab.steps.filter({ hasText: "Mined in block" })).toHaveCount(1);
  await expect(lab.steps.filter({ hasText: "Signed by" })).toHaveCount(1);
});

test("a failed metered call costs nothing and settles without a transaction", async ({ page }) => {
  const lab = createLab(page);
  await lab.open();
  await lab.case("upto: zero usage").click();
  await expect(lab.outcome).toContainText("Paid 0.00 USDC");
  await expect(lab.outcome).not.toContainText("…");
  await expect(lab.steps.filter({ hasText: "Settled without a transaction" })).toHaveCount(1);
  await expect(lab.steps.filter({ hasText: "Settlement:" })).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations in ${colorScheme} mode`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const explorer = createExplorerPage(page);
    const lab = createLab(page);
    await lab.open();
    expect(await explorer.listViolations()).toEqual([]);
    await lab.case("High s").click();
    await expect(lab.steps.filter({ hasText: "Check failed" }).getByRole("row", { name: "Signature" })).toBeVisible();
    expect(await explorer.listViolations()).toEqual([]);
  });
}

test.describe("at 360 pixels", () => {
  test.use({ viewport: { width: 360, height: 740 } });
  test("the failure lab fits the screen, and shows the outcome below its case", async ({ page }) => {
    const explorer = createExplorerPage(page);
    const lab = createLab(page);
    await lab.open();
    await lab.case("Wrong payee").click();
    const opened = page.locator(".lab-case").filter({ has: lab.case("Wrong payee") });
    await expect(opened.locator(".play-outcome")).toContainText("Facilitator, verify");
    await expect(lab.case("Wrong payee")).toBeInViewport({ ratio: 1 });
    await expect(lab.outcome.getByRole("heading", { name: "Payment rejected" })).toBeInViewport();
    for (const step of ["The price is", "Signed by"]) {
      await lab.steps.filter({ hasText: step }).first().getByRole("button").click();
    }
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  });
});

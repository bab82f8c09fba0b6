/** The playground's page object. It finds elements by visible text and role. It never searches the markup. */
import { expect, type Locator, type Page } from "@playwright/test";

export type PlaygroundPage = {
  open(network?: string): Promise<void>;
  payButton: Locator;
  /** The connected account, which pays. */
  payer: Locator;
  /** Shown if no account is connected, so that a new burner will pay. */
  burnerOffer: Locator;
  /** The result of a settled payment. */
  paid: Locator;
  /** The notice that says why a payment was rejected or not sent. */
  refusal: Locator;
  steps: Locator;
  /** Finds a step by its text. */
  step(text: string | RegExp): Locator;
  /** Expands a step and opens one of its tabs. */
  openTab(text: string | RegExp, tab: string): Promise<void>;
  /** Clicks the pay button, and waits for the payment to settle and for its block. */
  pay(): Promise<void>;
};

export function createPlaygroundPage(page: Page): PlaygroundPage {
  const payButton = page.getByRole("button", { name: /^(Pay (?!with)|Paying)/ });
  const paid = page.getByRole("status").filter({ hasText: /^Paid / });
  const steps = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  const step = (text: string | RegExp) => steps.filter({ hasText: text });
  return {
    payButton,
    payer: page.getByText(/^Payer \S/),
    burnerOffer: page.getByText(
      "No wallet needed: we’ll create a throwaway burner account and fund it with test money.",
    ),
    paid,
    refusal: page.getByRole("main").getByRole("alert"),
    steps,
    step,
    async open(network = "testnet") {
      await page.goto(`/${network}/playground`);
      await expect(payButton).toHaveAttribute("aria-disabled", "false");
    },
    async openTab(text, tab) {
      await step(text)
        .getByRole("button", { name: /^Details:/ })
        .click();
      await step(text).getByRole("button", { name: tab, exact: true }).click();
    },
    async pay() {
      await payButton.click();
      await expect(step(/Mined in block/)).toBeVisible();
      await expect(paid).toBeVisible();
    },
  };
}

/** The header's wallet button and its dialog. */
import type { Locator, Page } from "@playwright/test";

export type WalletDialog = {
  button: Locator;
  dialog: Locator;
  /** The dialog's error message. */
  failure: Locator;
  balances: Locator;
  open(): Promise<void>;
  close(): Promise<void>;
  press(name: string | RegExp): Promise<void>;
};

export function createWalletDialog(page: Page): WalletDialog {
  const dialog = page.getByRole("dialog", { name: "Wallet" });
  const button = page.getByRole("banner").getByRole("button", { name: /^(Connect wallet|Wallet)/ });
  return {
    button,
    dialog,
    failure: dialog.getByRole("alert"),
    balances: dialog.getByRole("list", { name: "Balances" }),
    async open() {
      await button.click();
      await dialog.waitFor();
    },
    async close() {
      await dialog.getByRole("button", { name: "Close" }).click();
      await dialog.waitFor({ state: "hidden" });
    },
    async press(name) {
      await dialog.getByRole("button", { name }).click();
    },
  };
}

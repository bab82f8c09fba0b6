/**
 * Tests the console: examples for every method, the form, the JSON editor, history, batches, comparisons and links.
 * Also tests the page by keyboard alone, without JavaScript, on a narrow screen, and with axe.
 */
import { expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** All tests share one chain, so methods that rewind or rewrite it are tested elsewhere. */
const notRun = (effect: string) => effect === "controls";

type Described = { name: string; summary: string; "x-effect": string };

function createConsole(page: Page) {
  const main = page.getByRole("main");
  /** Waits for hydration, because input before that would be lost. */
  const ready = () =>
    page.waitForFunction(() => {
      const field = document.querySelector("main input[type=search]");
      return field !== null && Object.keys(field).some((key) => key.startsWith("__reactProps"));
    });
  return {
    main,
    async open(query = "") {
      await page.goto(`/testnet/console${query}`);
      await ready();
    },
    ready,
    find: page.getByRole("combobox", { name: "Find a method" }),
    methods: page.getByRole("navigation", { name: "Methods" }),
    matches: page.getByRole("listbox", { name: "Matching methods" }),
    title: main.locator("#method"),
    json: page.getByRole("textbox", { name: "Params as JSON" }),
    examples: page.getByRole("group", { name: "Examples" }).getByRole("button"),
    run: page.getByRole("button", { name: "Run", exact: true }),
    request: page.getByRole("region", { name: "Request" }),
    batch: page.getByRole("region", { name: /^Batch/ }),
    history: page.getByRole("region", { name: "History" }),
    outcomes: page.getByRole("region", { name: "Request" }).getByTestId("outcome"),
  };
}

test.beforeAll(async ({ baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 7);
  await chain.mined(await chain.sendToken(developer, 5n));
});

test("every example of every method gets a response", async ({ page, baseURL }) => {
  test.setTimeout(600_000);
  const console = createConsole(page);
  const document = (await (await page.request.get("/api/rpc/testnet")).json()) as { methods: Described[] };
  const methods = document.methods.filter((method) => !notRun(method["x-effect"]));
  expect(methods.length).toBeGreaterThan(60);
  await console.open();
  const failed: string[] = [];
  let run = 0;
  for (const { name } of methods) {
    await console.methods.locator(`a[href$="?method=${name}"]`).click();
    await expect(console.title).toHaveText(name);
    const count = await console.examples.count();
    expect(count, name).toBeGreaterThan(0);
    for (let index = 0; index < count; index++) {
      await console.examples.nth(index).click();
      await console.run.click();
      const outcome = console.outcomes.first();
      await expect(outcome.getByText(/^(Success|Failed)$/)).toBeVisible();
      run += 1;
      if ((await outcome.getByText("Failed", { exact: true }).count()) > 0) {
        failed.push(`${name}: ${await outcome.textContent()}`);
      }
      const stop = page.getByRole("button", { name: "Stop following" });
      if (name === "eth_subscribe" && index === 0) {
        const chain = createDevChain(baseURL ?? "", 7);
        await chain.mined(await chain.sendToken(developer, 1n));
        await expect(page.getByText(/Following: [1-9]\d* event/)).toBeVisible();
      }
      if (await stop.isVisible()) await stop.click();
    }
  }
  expect(failed).toEqual([]);
  expect(run).toBeGreaterThan(methods.length);
});

test("the form and the JSON show the same request", async ({ page }) => {
  const console = createConsole(page);
  await console.open("?method=eth_getBalance");
  const account = page.getByRole("textbox", { name: /^account/ });
  const block = page.getByRole("combobox", { name: /^block/ });
  await expect(account).toHaveValue(developer);
  await block.fill("earliest");
  await expect(console.json).toHaveValue(JSON.stringify([developer, "earliest"], null, 2));
  await console.json.fill(`["0x${"11".repeat(20)}"]`);
  await expect(account).toHaveValue(`0x${"11".repeat(20)}`);
  await expect(block).toHaveValue("");

  await console.json.fill("[");
  await expect(console.request.getByText("The params must be a JSON array.")).toBeVisible();
  await expect(console.run).toBeDisabled();
  await console.json.fill('["0x12"]');
  await console.run.click();
  const failure = console.request.getByRole("alert");
  await expect(failure).toContainText("invalid argument 0");
  await expect(failure).toContainText("-32602");
});

test("the form offers an object's omitted fields by name", async ({ page }) => {
  const console = createConsole(page);
  await console.open("?method=eth_call");
  await page.getByRole("combobox", { name: "Add a field to transaction" }).selectOption("value");
  await page.getByRole("textbox", { name: /^value/ }).fill("0x1");
  await expect(console.json).toHaveValue(/"value": "0x1"/);
  await page.getByRole("button", { name: "Add to state_overrides" }).click();
  await page.getByRole("textbox", { name: /^key/ }).fill(developer);
  await expect(console.json).toHaveValue(new RegExp(`"${developer}": {}`));
  await page.getByRole("button", { name: `Remove state_overrides ${developer}` }).click();
  await expect(console.json).not.toHaveValue(new RegExp(`"${developer}"`));
});

test("the list of methods shows a single namespace, and the search is limited to it", async ({ page }) => {
  const console = createConsole(page);
  await console.open();
  const links = console.methods.getByRole("link");
  const before = await links.count();
  await console.methods.getByRole("combobox", { name: "Namespace" }).selectOption("txpool");
  await expect(links.first()).toHaveAttribute("href", /method=txpool_/);
  expect(await links.count()).toBeLessThan(before);
  for (const link of await links.all()) await expect(link).toHaveAttribute("href", /method=txpool_/);
  await console.find.fill("status");
  await expect(console.matches.getByRole("option").first()).toContainText("txpool_status");
  await console.find.fill("getBalance");
  await expect(console.methods).toContainText("No matching methods.");
});

test("a request has a URL that opens it again", async ({ page }) => {
  const console = createConsole(page);
  await console.open(
    `?${new URLSearchParams({ method: "eth_getBalance", params: JSON.stringify([developer, "0x0"]) })}`,
  );
  await expect(console.json).toHaveValue(JSON.stringify([developer, "0x0"], null, 2));
  await console.run.click();
  await expect(console.outcomes.first()).toContainText("10,000 MON");
  await page.getByRole("combobox", { name: /^block/ }).fill("latest");
  await console.run.click();
  await expect(page).toHaveURL(/latest/);
  await page.reload();
  await console.ready();
  await expect(console.json).toHaveValue(JSON.stringify([developer, "latest"], null, 2));
  await expect(console.history.getByRole("listitem")).toHaveCount(2);
  await console.history.getByRole("link").last().click();
  await expect(console.json).toHaveValue(JSON.stringify([developer, "0x0"], null, 2));
  await console.history.getByRole("button", { name: "Clear" }).click();
  await expect(console.history.getByRole("listitem")).toHaveCount(0);

  await console.open("?method=eth_nonsense");
  await expect(page.getByRole("heading", { name: "Testnet has no method named eth_nonsense" })).toBeVisible();
  await console.open("?method=eth_getBalance&params=zebra");
  await expect(console.request.getByText("The params must be a JSON array.")).toBeVisible();
});

test("a batch sends all requests at once and shows each response with its request", async ({ page }) => {
  const console = createConsole(page);
  for (const method of ["eth_chainId", "eth_getBalance", "eth_blockNumber"]) {
    await console.open(`?method=${method}`);
    await page.getByRole("button", { name: "Add to batch" }).click();
  }
  await expect(page.getByRole("heading", { name: "Batch of 3 requests" })).toBeVisible();
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && (request.postData() ?? "").startsWith("["),
  );
  await console.batch.getByRole("button", { name: "Run batch" }).click();
  expect(JSON.parse((await sent).postData() ?? "")).toHaveLength(3);
  const answers = console.batch.getByTestId("answer");
  await expect(answers).toHaveCount(3);
  await expect(answers.nth(0)).toContainText('"0x279f"');
  await expect(answers.nth(1)).toContainText("eth_getBalance");
  await console.batch.getByRole("button", { name: "Remove eth_chainId 1" }).click();
  await expect(page.getByRole("heading", { name: "Batch of 2 requests" })).toBeVisible();
  await console.batch.getByRole("button", { name: "Clear" }).click();
  await expect(console.batch.getByText("Add requests to send them as one batch.")).toBeVisible();
});

test("a response can be compared with another endpoint's", async ({ page }) => {
  const console = createConsole(page);
  await console.open("?method=eth_chainId");
  const target = page.getByRole("combobox", { name: "Run on" });
  await target.selectOption("Mainnet");
  await expect(console.request).toContainText("/api/rpc/mainnet");
  await target.selectOption("Testnet");
  const other = page.getByRole("combobox", { name: "Compare with" });
  await other.selectOption("Mainnet");
  await console.run.click();
  const differences = page.getByRole("table", { name: "Differences" });
  await expect(differences.getByRole("row").nth(1)).toContainText('"0x279f""0x8f"');
  await other.selectOption("Testnet");
  await console.run.click();
  await expect(console.request.getByText("Responses are identical")).toBeVisible();

  await other.selectOption("another endpoint…");
  await page.getByRole("textbox", { name: "URL of the other endpoint" }).fill("http://127.0.0.1:8545");
  await console.run.click();
  await expect(console.request.getByRole("alert")).toHaveText(
    "127.0.0.1 is a loopback address; only public addresses are allowed.",
  );
});

test("a method can be found, filled in and run by keyboard alone", async ({ page }) => {
  const console = createConsole(page);
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await expect(async () => {
    await page.locator("body").press("g");
    await page.locator("body").press("c");
    await expect(page).toHaveURL(/\/console$/, { timeout: 2_000 });
  }).toPass();
  await console.ready();
  const tabTo = async (reached: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await reached()) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("The element cannot be reached by keyboard.");
  };
  const isFocused = (locator: ReturnType<Page["locator"]>) => () =>
    locator.evaluate((node) => node === document.activeElement);
  await tabTo(isFocused(console.find));
  await page.keyboard.type("getStorageAt");
  await expect(console.matches.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(console.title).toHaveText("eth_getStorageAt");
  await expect(console.request.getByLabel(/^account/)).toBeFocused();
  await tabTo(isFocused(page.getByRole("textbox", { name: /^position/ })));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("0x1");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(console.outcomes.first()).toContainText("Success");
  await expect(page).toHaveURL(/0x1/);
});

test("the method search moves with the arrow keys, and Escape clears it", async ({ page }) => {
  const console = createConsole(page);
  await console.open();
  const option = (name: string) => console.matches.getByRole("option", { name });
  await console.find.fill("getBalance");
  await expect(option("eth_getBalance")).toHaveAttribute("aria-selected", "true");
  await console.find.fill("chainId");
  await expect(option("eth_chainId")).toHaveAttribute("aria-selected", "true");
  expect(await createExplorerPage(page).listViolations()).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(console.find).toHaveValue("");
  await expect(console.matches.getByRole("option")).toHaveCount(0);

  await console.find.fill("eth_get");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(console.matches.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await console.find.fill("blockNumber");
  await expect(option("eth_blockNumber")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(console.title).toHaveText("eth_blockNumber");
  await expect(console.run).toBeFocused();
});

test("the documentation and the list work without JavaScript", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  await page.goto("/testnet/console?method=eth_getLogs");
  await expect(page.getByRole("heading", { name: "About eth_getLogs" })).toBeVisible();
  const docs = page.getByRole("region", { name: "About eth_getLogs" });
  await expect(docs).toContainText("Max block range");
  await expect(docs).toContainText("-32602");
  await expect(docs).toContainText("blockTimestamp");
  await expect(page.getByRole("main")).toContainText("curl -s");
  // The button needs scripts, but it keeps the method and the params.
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page).toHaveURL(/\?params=.*&method=eth_getLogs$/);
  await expect(page.getByRole("heading", { name: "About eth_getLogs" })).toBeVisible();
  await page.getByRole("link", { name: "getProof" }).click();
  await expect(page.getByRole("heading", { name: "About eth_getProof" })).toBeVisible();
  await context.close();
});

for (const theme of ["light", "dark"] as const) {
  test(`has no axe violations or horizontal scrolling in the ${theme} theme`, async ({ page }) => {
    const console = createConsole(page);
    const explorer = createExplorerPage(page);
    await console.open("?method=eth_call");
    await explorer.setTheme(theme);
    await console.ready();
    await console.examples.last().click();
    await console.run.click();
    await expect(console.outcomes.first()).toContainText("Success");
    await page.getByRole("button", { name: "Add to batch" }).click();
    expect(await explorer.listViolations()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    await console.open("?method=eth_getBlockByNumber");
    await console.run.click();
    await expect(console.outcomes.first()).toContainText("Success");
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    expect(await explorer.listViolations()).toEqual([]);
  });
}

test("programs and people see the same documentation", async ({ page }) => {
  const console = createConsole(page);
  await console.open();
  for (const name of ["OpenRPC", "Payment API (OpenAPI)", "llms.txt"]) {
    const href = await console.main.getByRole("link", { name }).getAttribute("href");
    const answer = await page.request.get(href ?? "");
    expect(answer.status(), name).toBe(200);
    expect((await answer.text()).length).toBeGreaterThan(1_000);
  }
});

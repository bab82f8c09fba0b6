/**
 * Renders the 402 response as a page for people who open a paid URL in a browser. The page shows the resource, its
 * price and where to pay. It runs no scripts, loads nothing, and escapes all request data.
 */
import { createHash } from "node:crypto";
import { findReason } from "@/lib/x402/reason";
import { findTransferMethod } from "@/lib/x402/signedPayment";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import type { HttpRequest, HttpResponse } from "@/server/http/types";

export type PayPageOptions = {
  /**
   * Formats an amount, for example as "0.01 USDC". If it is missing or returns undefined, the page shows the amount in
   * the asset's smallest units.
   */
  formatAmount?: (requirement: PaymentRequirements) => string | undefined;
  /**
   * The URL of a page where a person can pay for the resource. Without it, the page only explains how programs pay.
   */
  toPlaygroundUrl?: (paymentRequired: PaymentRequired, method: string) => string | undefined;
  /**
   * Formats a network, for example as "Testnet". If it is missing or returns undefined, the page shows the CAIP-2 ID.
   */
  formatNetwork?: (caip2: string) => string | undefined;
  /** Whether all ways to pay are on local networks. If so, the page says so. */
  isSimulation?: (paymentRequired: PaymentRequired) => boolean;
  /** The seller's name. */
  siteName?: string;
};

type PageParts = PayPageOptions & { title?: string | undefined };

/** Whether a person opened the URL in a browser. This is assumed if the request prefers HTML. */
export function wantsPage({ method, headers }: HttpRequest): boolean {
  const first = headers.accept?.split(",")[0]?.split(";")[0]?.trim().toLowerCase();
  return method === "GET" && (first === "text/html" || first === "application/xhtml+xml");
}

/** Returns the 402 response with the page as its body. */
export function toPayPage(refusal: HttpResponse, paymentRequired: PaymentRequired, options: PageParts): HttpResponse {
  return {
    ...refusal,
    headers: {
      ...refusal.headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
    body: toHtml(paymentRequired, options),
  };
}

const style = `
:root{color-scheme:light dark;--canvas:light-dark(#f4f6f6,#0d1214);--surface:light-dark(#fff,#131a1d);--sunken:light-dark(#ebeeef,#090d0f);--line:light-dark(#d8dee0,#243036);--ink:light-dark(#10171a,#e9eef0);--ink-2:light-dark(#42505a,#a9b6bd);--accent:light-dark(#4b3bd6,#a79bff);--on-accent:light-dark(#fff,#131a1d);--warn:light-dark(#8a5a00,#e3b341)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;padding:0 1rem}
main{max-width:38rem;margin:clamp(1rem,6vh,5rem) auto;background:var(--surface);border:1px solid var(--line);border-radius:4px}
header,section{padding:1.25rem 1.5rem}
section{border-top:1px solid var(--line)}
p,h1,h2,dl,dd,ul{margin:0}
.simulation{margin:0 -1rem;padding:.25rem 1rem;background:var(--warn);color:var(--canvas);font-size:.8125rem;line-height:1.25rem;font-weight:600;text-align:center}
.kind{color:var(--ink-2);font-size:.875rem}
h1{font-size:1.25rem;line-height:1.75rem;margin:.25rem 0 .5rem;text-wrap:balance}
h2{font-size:.875rem;line-height:1.25rem;color:var(--ink-2);font-weight:500;margin-bottom:.5rem}
.price{font-size:1.75rem;line-height:2.25rem;font-variant-numeric:tabular-nums;font-weight:600}
ul{list-style:none;padding:0;display:grid;gap:.75rem}
.what{margin-bottom:.75rem}
.how{color:var(--ink-2);font-size:.875rem}
code{font:.8125rem/1.25rem ui-monospace,monospace;overflow-wrap:anywhere}
pre{margin:.5rem 0 0;padding:.75rem;background:var(--sunken);border-radius:4px;white-space:pre-wrap}
.pay{display:inline-block;margin-top:1rem;padding:.625rem 1.125rem;background:var(--accent);color:var(--on-accent);border-radius:4px;text-decoration:none;font-weight:500}
.pay:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

/** Blocks scripts, external resources and form submission. The page's only style sheet is allowed by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function toHtml(paymentRequired: PaymentRequired, options: PageParts): string {
  const { resource, accepts, error } = paymentRequired;
  const playground = options.toPlaygroundUrl?.(paymentRequired, "GET");
  const prices = accepts.map((requirement) => toPrice(requirement, options));
  const reason = error === undefined ? undefined : findReason(error);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${toText(prices[0]?.amount ?? "Payment")} – payment required</title>
<style>${style}</style>
</head>
<body>
${options.isSimulation?.(paymentRequired) ? '<aside class="simulation" aria-label="Local simulation">Local simulation · no real money</aside>\n' : ""}<main>
<header>
<p class="kind">402 Payment Required${options.siteName ? ` · ${toText(options.siteName)}` : ""}</p>
<h1>${toText(options.title ?? resource.description ?? "This resource requires payment")}</h1>
${options.title && resource.description ? `<p class="what">${toText(resource.description)}</p>` : ""}
<code>${toText(resource.url)}</code>
</header>
<section>
<h2>Price</h2>
<ul>
${prices.map(({ amount, how }) => `<li><p class="price">${toText(amount)}</p><p class="how">${toText(how)}</p></li>`).join("\n")}
</ul>
${reason ? `<p class="how">${toText(reason.cause)}</p>` : ""}${
  playground ? `<a class="pay" href="${toText(playground)}">Pay and open</a>` : ""
}
</section>
<section>
<h2>Use from code</h2>
<p class="how">Request this URL with any x402 v2 client. The PAYMENT-REQUIRED header holds the payment requirements, and so does the body unless you ask for HTML:</p>
<pre><code>curl -H 'Accept: application/json' ${toText(toShellWord(resource.url))}</code></pre>
</section>
</main>
</body>
</html>
`;
}

function toPrice(
  requirement: PaymentRequirements,
  { formatAmount, formatNetwork }: PayPageOptions,
): { amount: string; how: string } {
  const { scheme, amount, asset, network } = requirement;
  const shown = formatAmount?.(requirement) ?? `${amount} units of ${asset}`;
  const where = formatNetwork?.(network) ?? network;
  const through =
    findTransferMethod(requirement) === "permit2" ? "through Permit2" : "with a signed transfer (EIP-3009)";
  return scheme === "upto"
    ? { amount: `At most ${shown}`, how: `You pay for what you use, ${through} on ${where}.` }
    : { amount: shown, how: `Fixed price, paid ${through} on ${where}. You pay no gas.` };
}

function toShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function toText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

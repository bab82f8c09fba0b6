/** Tests which font a step's values are shown in. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FlowValueText } from "./FlowText";

it("shows hashes and reason codes in the monospaced font, and other text as it is", () => {
  const hash = `0x${"ab".repeat(32)}`;
  expect(renderToStaticMarkup(<FlowValueText value={hash} />)).toBe(`<code class="mono">${hash}</code>`);
  expect(renderToStaticMarkup(<FlowValueText value="insufficient_funds" />)).toBe(
    '<code class="mono">insufficient_<wbr/>funds</code>',
  );
  expect(renderToStaticMarkup(<FlowValueText value="<b>10 USDC</b>" />)).toBe("&lt;b&gt;10 USDC&lt;/b&gt;");
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { WrapText } from "@/components/atoms/WrapText";

test.each([
  ["http://localhost:4021/api/rpc", "http://localhost:4021/<wbr/>api/<wbr/>rpc"],
  ["GET /report?from=1&amp;to=2", "GET /report?<wbr/>from=1<wbr/>&amp;to=2"],
  ["insufficient_funds", "insufficient_<wbr/>funds"],
  ["transfer(address,uint256)", "transfer(address,<wbr/>uint256)"],
  ["from 9,917.685073 USDC", "from 9,917.685073 USDC"],
  ['{"id":1,"method":"eth_chainId"}', "{&quot;id&quot;:1,<wbr/>&quot;method&quot;:&quot;eth_<wbr/>chainId&quot;}"],
  ["eth_getTransactionByHash", "eth_<wbr/>get<wbr/>TransactionByHash"],
  ["plain text", "plain text"],
])("%s wraps between its parts", (text, markup) => {
  expect(renderToStaticMarkup(<WrapText text={text.replace("&amp;", "&")} />)).toBe(markup);
});

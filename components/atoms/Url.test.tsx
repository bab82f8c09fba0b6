import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Url } from "@/components/atoms/Url";

it.each([
  ["http://localhost:3000/api/rpc", "http://localhost:3000/|api/|rpc"],
  ["/.well-known/x402", "/.well-known/|x402"],
  ["10143", "10143"],
])("breaks %s only after the slashes of its path", (url, parts) => {
  const markup = renderToStaticMarkup(<Url url={url} />);
  expect(markup.replaceAll("<wbr/>", "|").replace(/<[^>]*>/g, "")).toBe(parts);
});

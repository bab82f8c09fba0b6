import { expect, it } from "vitest";
import { findFrame, toFramedUrl } from "./resourceFrame";

const own = "http://localhost:4200";

it("splits a URL into what resources share and what tells them apart", () => {
  expect(toFramedUrl(`${own}/api/paid/transfers?network=testnet&rows=100`, "testnet")).toEqual({
    frame: `${own}/…?network=testnet`,
    origin: own,
    query: "?network=testnet&rows=100",
    rest: "?rows=100",
  });
  expect(toFramedUrl(`${own}/a?network=testnet`, "testnet")?.rest).toBe("");
  expect(toFramedUrl("a name", "testnet")).toBeUndefined();
});

it("keeps the query of another network, and the encoding of the rest", () => {
  expect(toFramedUrl(`${own}/a?network=base`, "testnet")).toMatchObject({ frame: `${own}/…`, rest: "?network=base" });
  expect(toFramedUrl(`${own}/a?q=%20+&network=testnet`, "testnet")?.rest).toBe("?q=%20+");
});

it("finds the frame of most resources", () => {
  const paths = ["a", "b"].map((name) => `${own}/${name}?network=testnet`);
  expect(findFrame([...paths, "https://example.com/c"], "testnet")).toBe(`${own}/…?network=testnet`);
  expect(findFrame([...paths, `${own}/a`, "a name"], "testnet")).toBeUndefined();
  expect(findFrame(paths.slice(1), "testnet")).toBeUndefined();
});

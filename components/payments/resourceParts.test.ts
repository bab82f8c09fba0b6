import { expect, it } from "vitest";
import { toResourceParts } from "./resourceParts";

const own = "http://localhost:4200";
const split = (resource: string) => toResourceParts(resource, own, "testnet");

it("leaves out this server's host and the page's network", () => {
  expect(split(`${own}/api/paid/transfers?network=testnet&rows=100`)).toEqual({
    path: "/api/paid/transfers",
    query: "?rows=100",
  });
  expect(split(`${own}/a?network=testnet`).query).toBe("");
  expect(split(`${own}/a`).query).toBe("");
});

it("keeps another network, and the encoding of the rest", () => {
  expect(split(`${own}/a?network=base`).query).toBe("?network=base");
  expect(split(`${own}/a?q=%20+&network=testnet`).query).toBe("?q=%20+");
});

it("names another server, such as one on another port", () => {
  expect(split("http://localhost:4300/a?network=testnet")).toEqual({ path: "/a", query: "", host: "localhost:4300" });
});

it("shows text that is not a URL, without characters that hide or reorder other text", () => {
  expect(split("a name\u202e")).toEqual({ path: "a name", query: "" });
});

/**
 * Runs the generated code. Shell functions named curl and cast print their arguments, and viem calls a local server.
 */
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, http } from "viem";
import { expect, it } from "vitest";
import { toRequestCode } from "@/components/console/requestCode";

const url = "http://localhost:3000/api/rpc/testnet";
const awkward = { method: "explorer_search", params: [`it's "quoted" $HOME \\ \`x\` ☃`, { a: [null, 1.5] }] };

/** The arguments that the generated code passes to the program. */
function readWords(code: string, program: string): string[] {
  const script = `${program}() { for word; do printf '%s\\0' "$word"; done; }\n${code}`;
  return execFileSync("sh", ["-c", script]).toString().split("\0").slice(0, -1);
}

it("passes the request to curl unchanged, whatever characters it contains", () => {
  const words = readWords(toRequestCode("curl", url, [awkward]), "curl");
  expect(words.slice(0, 5)).toEqual(["-s", url, "-H", "content-type: application/json", "-d"]);
  expect(JSON.parse(words[5] ?? "")).toEqual({ jsonrpc: "2.0", id: 1, ...awkward });
  const batch = readWords(toRequestCode("curl", url, [awkward, awkward]), "curl");
  expect(JSON.parse(batch[5] ?? "").map(({ id }: { id: number }) => id)).toEqual([1, 2]);
});

it("passes the params to cast as JSON", () => {
  const words = readWords(toRequestCode("cast", url, [awkward]), "cast");
  expect(words.slice(0, 5)).toEqual(["rpc", "--rpc-url", url, "--raw", "explorer_search"]);
  expect(JSON.parse(words[5] ?? "")).toEqual(awkward.params);
});

it("sends the same requests with viem", async () => {
  const seen: { method: string; params: unknown }[] = [];
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    const requests = [JSON.parse(body)].flat() as { id: number; method: string; params: unknown }[];
    seen.push(...requests.map(({ method, params }) => ({ method, params })));
    const answers = requests.map(({ id }) => ({ jsonrpc: "2.0", id, result: `answer ${seen.length}` }));
    res.end(JSON.stringify(body.startsWith("[") ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const at = `http://localhost:${(server.address() as AddressInfo).port}`;
  const shown: unknown[] = [];
  const run = (code: string) => {
    const body = code.replace(/^import .*\n/, "");
    return new Function("createPublicClient", "http", "console", `return (async () => {${body}})()`)(
      createPublicClient,
      http,
      { log: (value: unknown) => shown.push(value) },
    ) as Promise<void>;
  };
  try {
    await run(toRequestCode("viem", at, [awkward]));
    await run(toRequestCode("viem", at, [awkward, { method: "eth_chainId", params: [] }]));
  } finally {
    server.close();
  }
  expect(seen).toEqual([awkward, awkward, { method: "eth_chainId", params: [] }]);
  expect(shown).toEqual(["answer 1", ["answer 3", "answer 3"]]);
});

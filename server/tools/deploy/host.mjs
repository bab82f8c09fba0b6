/**
 * Runs one instance of a built function: loads its handler like the platform's runtime does, and serves HTTP on a free
 * port. This is plain JavaScript, because it must work without the rest of the project.
 */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";

const [folder = "", handlerFile = "", usesWebApi = ""] = process.argv.slice(2);

/** @param {any} exported */
const unwrap = (exported) => (typeof exported === "function" ? exported : (exported.default ?? exported));
const handler = unwrap(createRequire(join(folder, "package.json"))(join(folder, handlerFile)));

/** @param {import("node:http").IncomingMessage} req */
function toWebRequest(req) {
  const headers = /** @type {[string, string][]} */ (
    Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")])
  );
  const hasBody = req.method !== "GET" && req.method !== "HEAD";
  const init = { method: req.method, headers, ...(hasBody && { body: Readable.toWeb(req), duplex: "half" }) };
  return new Request(`http://${req.headers.host}${req.url}`, /** @type {any} */ (init));
}

/** @param {import("node:http").IncomingMessage} req @param {import("node:http").ServerResponse} res */
async function answer(req, res) {
  if (usesWebApi !== "true") return handler(req, res);
  /** @type {Response} */
  const response = await handler(toWebRequest(req));
  res.writeHead(response.status, [...response.headers].flat());
  res.end(Buffer.from(await response.arrayBuffer()));
}

const server = createServer((req, res) => {
  answer(req, res).catch((error) => {
    console.error(error);
    if (!res.headersSent) res.writeHead(500);
    res.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit(0));

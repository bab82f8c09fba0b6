/**
 * Serves the build's scripts and styles, which are compressed with Brotli at build time (server/bin/prepare.mjs).
 * Clients that don't accept Brotli get them from Next. Only files found at startup are served, by their exact path.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { splitTarget } from "@/server/http/requestTarget";

const contentTypes: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};

/** Whether an Accept-Encoding header allows Brotli. A quality of 0 means that it doesn't (RFC 9110, section 12.5.3). */
export function takesBrotli(header: string | string[] | undefined): boolean {
  const choices = String(header ?? "").split(",");
  return choices.some((choice) => {
    const [coding = "", ...parameters] = choice.split(";").map((part) => part.trim().toLowerCase());
    return coding === "br" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Reads every compressed file under `folder` into memory, about half a megabyte in total. The returned function serves
 * a request, or returns false if it doesn't handle the request.
 */
export function createStaticFiles(
  folder: string,
  prefix = "/_next/static/",
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = new Map<string, { body: Buffer; type: string }>();
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  for (const entry of entries) {
    const type = contentTypes[extname(entry.name.replace(/\.br$/, ""))];
    if (!entry.isFile() || !entry.name.endsWith(".br") || !type) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(folder, file).slice(0, -".br".length).split(sep).join("/");
    files.set(`${prefix}${name}`, { body: readFileSync(file), type });
  }
  return (req, res) => {
    if ((req.method !== "GET" && req.method !== "HEAD") || !takesBrotli(req.headers["accept-encoding"])) return false;
    const found = files.get(splitTarget(req.url ?? "/").path);
    if (!found) return false;
    res.writeHead(200, {
      "content-type": found.type,
      "content-encoding": "br",
      "content-length": found.body.length,
      // The file can be cached forever, because its name contains a hash of its content.
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    res.end(req.method === "HEAD" ? undefined : found.body);
    return true;
  };
}

/**
 * Finds the function or file that serves a request, using the routes in a build's config.json (Build Output API,
 * version 3). The caller supplies the files and the middleware. Unsupported routes cause an error.
 */
type Condition = { type: "header" | "cookie" | "host" | "query"; key?: string; value?: string };

export type OutputRoute = {
  src?: string;
  handle?: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  methods?: string[];
  has?: Condition[];
  missing?: Condition[];
  continue?: boolean;
  check?: boolean;
  override?: boolean;
  important?: boolean;
  middlewarePath?: string;
};

/** The request to route. The path is still encoded, and header names are in lowercase. */
export type RoutedRequest = { method: string; path: string; query: URLSearchParams; headers: Record<string, string> };

/** What the middleware did: it sent a response itself, or it returned headers for the request and the response. */
export type MiddlewareResult =
  | { kind: "answer" }
  | { kind: "next"; headers: Record<string, string>; responseHeaders: Record<string, string> };

export type Resolution =
  | { kind: "found"; name: string; status: number | undefined; request: RoutedRequest; headers: Record<string, string> }
  | { kind: "redirect"; status: number; location: string; headers: Record<string, string> }
  /** The middleware sent a response itself. */
  | { kind: "answered" }
  | { kind: "nothing" };

export type Surroundings = {
  /** Whether a file or function has this name, which has no leading slash. */
  has(name: string): boolean;
  runMiddleware(path: string, request: RoutedRequest): Promise<MiddlewareResult>;
};

const known = new Set([
  ...["src", "handle", "dest", "status", "headers", "methods", "has", "missing", "continue", "check", "override"],
  ...["important", "middlewarePath", "middlewareRawSrc", "caseSensitive"],
]);

/** Throws if the routes use something unsupported. */
export function assertUnderstood(routes: readonly OutputRoute[]): void {
  for (const route of routes) {
    const strange = Object.keys(route).find((key) => !known.has(key));
    if (strange !== undefined) throw new Error(`A route of the build uses ${strange}, which is not supported.`);
  }
}

export async function resolveRoute(
  routes: readonly OutputRoute[],
  asked: RoutedRequest,
  { has, runMiddleware }: Surroundings,
): Promise<Resolution> {
  const phases = toPhases(routes);
  let request = asked;
  let responseHeaders: Record<string, string> = {};
  let status: number | undefined;

  const find = (path: string) => {
    const name = decodePath(path).replace(/^\//, "").replace(/\/$/, "") || "index";
    return has(name) ? name : undefined;
  };
  const found = (name: string): Resolution => {
    for (const route of phases.get("hit") ?? []) {
      const match = findMatch(route, request);
      if (match) responseHeaders = { ...responseHeaders, ...toHeaders(route, match) };
    }
    return { kind: "found", name, status, request, headers: responseHeaders };
  };

  /** Runs one phase. If the phase ends the search, returns the resolution. */
  async function run(phase: string): Promise<Resolution | undefined> {
    for (const route of phases.get(phase) ?? []) {
      const match = findMatch(route, request);
      if (!match) continue;
      responseHeaders = { ...responseHeaders, ...toHeaders(route, match) };
      if (route.middlewarePath !== undefined) {
        const result = await runMiddleware(route.middlewarePath, request);
        if (result.kind === "answer") return { kind: "answered" };
        request = { ...request, headers: result.headers };
        responseHeaders = { ...responseHeaders, ...result.responseHeaders };
        continue;
      }
      const location = responseHeaders.location;
      if (route.status !== undefined && location !== undefined && route.status >= 300 && route.status < 400) {
        return { kind: "redirect", status: route.status, location, headers: responseHeaders };
      }
      if (route.status !== undefined) status = route.status;
      if (route.dest !== undefined) request = { ...request, ...toDestination(route.dest, match, request) };
      if (route.check) {
        const name = find(request.path);
        if (name !== undefined) return found(name);
      } else if (!route.continue) {
        const name = find(request.path);
        return name === undefined ? { kind: "nothing" } : found(name);
      }
    }
    return undefined;
  }

  const first = await run("");
  if (first) return first;
  const direct = find(request.path);
  if (direct !== undefined) return found(direct);
  for (const phase of ["filesystem", "miss", "rewrite"]) {
    const resolution = await run(phase);
    if (resolution) return resolution;
  }
  return (await run("error")) ?? { kind: "nothing" };
}

function toPhases(routes: readonly OutputRoute[]): Map<string, OutputRoute[]> {
  const phases = new Map<string, OutputRoute[]>([["", []]]);
  let phase = "";
  for (const route of routes) {
    if (route.handle !== undefined) {
      phase = route.handle;
      phases.set(phase, []);
    } else phases.get(phase)!.push(route);
  }
  return phases;
}

type Match = { groups: Record<string, string> };

function findMatch(route: OutputRoute, { method, path, query, headers }: RoutedRequest): Match | undefined {
  if (route.methods && !route.methods.includes(method)) return undefined;
  const at = new RegExp(anchor(route.src ?? "/.*")).exec(path);
  if (!at) return undefined;
  const groups: Record<string, string> = {};
  at.forEach((value, index) => {
    groups[index] = value ?? "";
  });
  Object.assign(groups, at.groups);
  const test = ({ type, key = "", value }: Condition): boolean => {
    const actual =
      type === "header"
        ? headers[key.toLowerCase()]
        : type === "query"
          ? query.get(key)
          : findOther(type, key, headers);
    if (actual === undefined || actual === null) return false;
    if (value === undefined) return true;
    const inside = new RegExp(`^${value}$`).exec(actual);
    if (inside?.groups) Object.assign(groups, inside.groups);
    return inside !== null;
  };
  if (!(route.has ?? []).every(test) || (route.missing ?? []).some(test)) return undefined;
  return { groups };
}

const anchor = (src: string) => `${src.startsWith("^") ? "" : "^"}${src}${src.endsWith("$") ? "" : "$"}`;

function findOther(type: "cookie" | "host", key: string, headers: Record<string, string>): string | undefined {
  if (type === "host") return headers.host;
  return new RegExp(`(?:^|;\\s*)${key}=([^;]*)`).exec(headers.cookie ?? "")?.[1];
}

const fill = (template: string, { groups }: Match) =>
  template.replaceAll(/\$(\w+)/g, (_whole, name: string) => groups[name] ?? "");

function toHeaders(route: OutputRoute, match: Match): Record<string, string> {
  const filled = Object.entries(route.headers ?? {}).map(([name, value]) => [name.toLowerCase(), fill(value, match)]);
  return Object.fromEntries(filled);
}

/** Fills in the destination. Adds the destination's query parameters to those of the request. */
function toDestination(template: string, match: Match, request: RoutedRequest): Pick<RoutedRequest, "path" | "query"> {
  const [path = "/", search = ""] = template.split("?");
  const query = new URLSearchParams(request.query);
  for (const [key, value] of new URLSearchParams(search)) {
    for (const part of [fill(value, match)]) query.set(key, decodePath(part));
  }
  return { path: fill(path, match), query };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

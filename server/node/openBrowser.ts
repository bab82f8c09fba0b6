import { spawn } from "node:child_process";

const commands: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

export function openBrowser(url: string): void {
  const [program = "", ...args] = commands[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  child.on("error", () => process.stderr.write(`Tollscan could not open a browser; visit ${url}.\n`));
  child.unref();
}

/** Reads the README's recipes for CI and containers, for the tests that check them and run their commands. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "@/server/bin/prepare.mjs";

export type Workflow = {
  jobs: Record<string, { steps: { name?: string; run?: string; env?: Record<string, string> }[] }>;
};
type Service = {
  image: string;
  command?: string;
  environment: Record<string, string>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string };
};
export type Compose = { services: Record<"tollscan" | "postgres", Service> };
export type DevContainer = { image: string; postStartCommand: string; forwardPorts: number[] };

/** Reads a file that the README shows in a code block. The block's first line is a comment with the file's path. */
function readShownFile<Content>(path: string): Content {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```\w+\n(?:#|\/\/) (.+)\n([\s\S]+?)^```$/gm)];
  const content = blocks.find(([, shownPath]) => shownPath === path)?.[2];
  if (content === undefined) throw new Error(`The README does not show ${path}.`);
  // JSON is valid YAML, so this parses both.
  return parse(content) as Content;
}

export const readWorkflow = () => readShownFile<Workflow>(".github/workflows/test.yml");
export const readCompose = () => readShownFile<Compose>("compose.yaml");
export const readDevContainer = () => readShownFile<DevContainer>(".devcontainer/devcontainer.json");

/** The script in the workflow step that starts Tollscan. */
export function getStartScript({ jobs }: Workflow): string {
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const script = steps.find(({ name }) => name === "Start Tollscan")?.run;
  if (script === undefined) throw new Error("The workflow has no step that starts Tollscan.");
  return script;
}

/** Checks the files in the README's recipes. cleanInstall.ts runs the recipes' commands with an installed package. */
import { expect, test } from "vitest";
import { readCommandLine } from "@/server/config/commandLine.mjs";
import { loadConfig } from "@/server/config/config";
import { getStartScript, readCompose, readDevContainer, readWorkflow } from "@/server/tools/recipes";

/** Lists the options of each `npx tollscan` in a shell command. */
const readOptions = (command: string) =>
  [...command.matchAll(/npx --yes tollscan((?: [\w.-]+)*)/g)].map(([, options = ""]) =>
    readCommandLine(options.split(" ").filter(Boolean)),
  );

test("each recipe starts the command with options that exist", () => {
  const { services } = readCompose();
  expect(readOptions(getStartScript(readWorkflow()))).toEqual([
    { flags: new Set(["no-pages", "silent"]), settings: {} },
  ]);
  expect(readOptions(services.tollscan.command ?? "")).toHaveLength(1);
  expect(readOptions(readDevContainer().postStartCommand)).toEqual([
    { flags: new Set(), settings: { TOLLSCAN_DATA: ".tollscan" } },
  ]);
});

test("the compose file's settings are valid and open the port to other services", () => {
  const { tollscan, postgres } = readCompose().services;
  const config = loadConfig(tollscan.environment, "/");
  expect(config.access).toMatchObject({ hosts: expect.arrayContaining(["tollscan"]), origins: ["*"] });
  const database = new URL(config.databaseUrl ?? "");
  expect(database.hostname).toBe("postgres");
  expect([database.username, database.password, database.pathname.slice(1)]).toEqual([
    postgres.environment.POSTGRES_USER,
    postgres.environment.POSTGRES_PASSWORD,
    postgres.environment.POSTGRES_USER,
  ]);
  expect(tollscan.ports).toEqual([`127.0.0.1:${config.port}:${config.port}`]);
  expect(tollscan.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  expect(tollscan.healthcheck.test).toContain(`http://127.0.0.1:${config.port}/api/health`);
});

test("the dev container forwards the port that the command listens on", () => {
  expect(readDevContainer().forwardPorts).toEqual([loadConfig({}, "/").port]);
});

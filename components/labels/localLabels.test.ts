import { expect, it, vi } from "vitest";
import { useLocalLabels } from "@/components/labels/localLabels";

const snapshots: unknown[] = [];
vi.mock("react", async (load) => ({
  ...(await load<typeof import("react")>()),
  useSyncExternalStore: (_: unknown, findInBrowser: () => unknown, findOnServer: () => unknown) => {
    snapshots.push(findInBrowser(), findOnServer());
  },
}));

it("gives React the server's object if there are no labels, so that hydration doesn't render the page again", () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  useLocalLabels();
  expect(snapshots[0]).toBe(snapshots[1]);
});

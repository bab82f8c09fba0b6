import { afterAll, expect, it, vi } from "vitest";

const snapshots: unknown[] = [];

afterAll(() => {
  vi.unstubAllGlobals();
  vi.doUnmock("react");
  vi.resetModules();
});

it("gives React the server's object if there are no labels, so that hydration doesn't render the page again", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.doMock("react", async (load) => ({
    ...(await load<typeof import("react")>()),
    useSyncExternalStore: (_: unknown, findInBrowser: () => unknown, findOnServer: () => unknown) => {
      snapshots.push(findInBrowser(), findOnServer());
    },
  }));
  // Tests share modules, so an earlier test may have loaded `localLabels` with the real React.
  vi.resetModules();
  const { useLocalLabels } = await import("@/components/labels/localLabels");
  useLocalLabels();
  expect(snapshots).toHaveLength(2);
  expect(snapshots[0]).toBe(snapshots[1]);
});

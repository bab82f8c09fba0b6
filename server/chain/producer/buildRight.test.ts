import { expect, it } from "vitest";
import { createBuildRight, mayBuild, releaseBuildRight } from "@/server/chain/producer/buildRight";
import type { LeaseStore } from "@/server/ports/store";

it("releases the lease for good, even if an extension was in progress", async () => {
  const calls: string[] = [];
  const extension = Promise.withResolvers<number>();
  const extending = Promise.withResolvers<void>();
  const store: LeaseStore = {
    claimLease: () => {
      calls.push("claim");
      if (calls.length === 1) return Promise.resolve(1);
      extending.resolve();
      return extension.promise;
    },
    releaseLease: async () => {
      calls.push("release");
    },
    findLease: async () => undefined,
  };
  const errors: unknown[] = [];
  const right = createBuildRight(
    { store, holder: "one", refresh: async () => undefined, onError: (error) => errors.push(error) },
    3,
  );
  expect(await mayBuild(right)).toBe(true);
  await extending.promise;
  const released = releaseBuildRight(right);
  extension.resolve(1);
  await Promise.all([released, extension.promise]);
  expect(calls).toEqual(["claim", "claim", "release"]);
  expect(right.fence).toBeUndefined();
  expect(errors).toEqual([]);
});

import { expect, it } from "vitest";
import { toRevertText } from "@/components/transaction/transactionItems";

it("says that delegations remain after a revert, but only for set-code transactions", () => {
  expect(toRevertText("0x4")).toContain("EIP-7702 delegations");
  for (const type of ["0x0", "0x1", "0x2", "0x3"]) expect(toRevertText(type)).not.toContain("delegation");
});

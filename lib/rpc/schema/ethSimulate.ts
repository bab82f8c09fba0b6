/**
 * eth_simulateV1 (execution-apis).
 */
import { z } from "zod";
import { blockOrLatest } from "@/lib/rpc/codec";
import { simulation } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { runLimits } from "@/lib/rpc/schema/limits";
import { simulatedBlockShape } from "@/lib/rpc/shapes";

export const ethSimulateMethods = defineMethods("runs", {
  eth_simulateV1: {
    summary:
      "Simulates blocks of unsigned calls on top of a block; returns the blocks with each call's status and logs.",
    paramNames: ["payload", "block"],
    params: z.tuple([simulation, blockOrLatest]),
    result: z.array(simulatedBlockShape),
    errors: [unknownBlock, { kind: "server", when: "A block or call is invalid." }],
    limits: runLimits,
    isForwarded: true,
    examples: [
      {
        summary: "Two consecutive transfers, traced as logs",
        params: [
          {
            blockStateCalls: [
              {
                stateOverrides: { "0xc000000000000000000000000000000000000000": { balance: "0x3e8" } },
                calls: [
                  {
                    from: "0xc000000000000000000000000000000000000000",
                    to: "0xc100000000000000000000000000000000000000",
                    value: "0x3e8",
                  },
                  {
                    from: "0xc100000000000000000000000000000000000000",
                    to: "0xc200000000000000000000000000000000000000",
                    value: "0x3e8",
                  },
                ],
              },
            ],
            traceTransfers: true,
          },
          "latest",
        ],
      },
    ],
  },
});

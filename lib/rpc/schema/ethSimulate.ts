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
    summary: "Makes blocks after a block out of unsigned calls and answers them, each call with its outcome and logs.",
    paramNames: ["payload", "block"],
    params: z.tuple([simulation, blockOrLatest]),
    result: z.array(simulatedBlockShape),
    errors: [unknownBlock, { kind: "server", when: "A block or call cannot be made as it is given." }],
    limits: runLimits,
    isForwarded: true,
    examples: [
      {
        summary: "Two transfers in a row, shown as logs",
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

import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ProblemList } from "@/components/node/NodeProblems";

it("shows each problem with its fix, or says that there are none", () => {
  const problem = {
    code: "store_full",
    severity: "down",
    message: "The disk is full.",
    fix: "Free up space.",
  } as const;
  const gas = {
    code: "relayer_out_of_gas",
    severity: "degraded",
    message: "Too little gas.",
    fix: "Send MON.",
  } as const;
  const shown = renderToStaticMarkup(<ProblemList problems={[problem, gas]} />);
  for (const text of [problem.message, problem.fix, gas.message, gas.fix]) expect(shown).toContain(text);
  expect(shown).not.toContain("No known problems");
  const healthy = renderToStaticMarkup(<ProblemList problems={[]} />);
  expect(healthy).toContain("No known problems");
});

/** Labels of the checks before signing; any other rule is shown by its reason. */
const preflightRules: Record<string, string> = {
  chain: "Chain id",
  code: "Token’s code",
  balance: "Balance",
  domain: "EIP-712 domain",
  clock: "Clock against the server’s",
  allowance: "Allowance for Permit2",
  proxy: "x402 proxy’s code",
};

export function findPreflightLabel(rule: string): string | undefined {
  return Object.hasOwn(preflightRules, rule) ? preflightRules[rule] : undefined;
}

import type { GasPart } from "@/lib/decode/gasSplit";

const gasPerByte = 200;

/** Splits the cost of storing the deployed code from the gas that the init code used. */
export function splitCodeDeposit(parts: readonly GasPart[], code: string | undefined): readonly GasPart[] {
  const bytes = code === undefined ? 0 : (code.length - 2) / 2;
  const deposit = BigInt(bytes * gasPerByte);
  if (deposit === 0n) return parts;
  return parts.flatMap((part): GasPart[] =>
    part.kind === "execution" && part.gas >= deposit
      ? [
          ...(part.gas > deposit ? [{ ...part, gas: part.gas - deposit }] : []),
          { kind: "deposit", gas: deposit, sum: `${bytes} bytes of code × ${gasPerByte}` },
        ]
      : [part],
  );
}

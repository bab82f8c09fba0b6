"use client";
/** Shows what would happen if a call were sent now: either its result, gas and net changes, or why it would fail. */
import type { AbiFunction } from "viem";
import { nativeLogger, type SimulatedCall, type Simulation } from "@/components/address/simulateCall";
import { Icon } from "@/components/atoms/Icon";
import { Value, Values } from "@/components/trace/DecodedView";
import { FailureText } from "@/components/trace/FailureText";
import { NetChangeList } from "@/components/transaction/NetChanges";
import { createDecoder } from "@/lib/decode/decoder";
import { listMovements, type Movement, noAddress } from "@/lib/decode/transfers";
import type { WireLog } from "@/lib/rpc/shapes";
import { formatInteger, toQuantity } from "@/lib/units";

type Props = {
  call: SimulatedCall;
  simulation: Simulation;
  /** Whether the call was to be sent. */
  isHeld: boolean | undefined;
  abi: AbiFunction | undefined;
  onSendAnyway: () => void;
};

function toMovements(logs: readonly WireLog[]): Movement[] {
  return listMovements(logs).map((movement) =>
    movement.token === nativeLogger ? { ...movement, standard: "native", token: noAddress } : movement,
  );
}

export function SimulationView({ call, simulation, isHeld, abi, onSendAnyway }: Props) {
  const { succeeds, returned, gasUsed, logs, message } = simulation;
  const [reading] = abi
    ? createDecoder([{ name: "", abi: [abi] }]).decode({ kind: "call", data: call.data, result: returned })
    : [];
  const frame = {
    type: "CALL" as const,
    from: call.from,
    to: call.to,
    gas: "0x0" as const,
    gasUsed: toQuantity(gasUsed ?? 0n),
    input: call.data,
    output: returned,
    error: message ?? "execution reverted",
  };
  return (
    <section aria-label="Simulation" className="border border-line">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
        <span className={`inline-flex items-center gap-1.5 font-medium ${succeeds ? "text-pos" : "text-neg"}`}>
          <Icon name={succeeds ? "check" : "cross"} />
          {succeeds ? "Would succeed" : isHeld ? "Not sent: it would fail" : "Would fail"}
        </span>
        {gasUsed !== undefined && <span className="text-ink-2">{formatInteger(gasUsed)} gas</span>}
        {!succeeds && (
          <>
            <span className="min-w-0">
              <FailureText frame={frame} />
            </span>
            <button type="button" className="button ml-auto" onClick={onSendAnyway}>
              Send anyway
            </button>
          </>
        )}
      </div>
      {succeeds && reading?.results && reading.results.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 border-line border-t px-4 py-2">
          <span className="text-ink-2">Returns</span>
          {reading.results.length === 1 ? <Value value={reading.results[0]!} /> : <Values values={reading.results} />}
        </div>
      )}
      {succeeds && logs && (
        <div className="border-line border-t">
          <NetChangeList movements={toMovements(logs)} note="Fee not included." />
        </div>
      )}
    </section>
  );
}

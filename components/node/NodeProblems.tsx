"use client";
/** The network's current problems and how to fix them. If there are none, this is a single line. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/atoms/Icon";
import { useSource } from "@/components/layout/NetworkContext";
import { healthQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

type Problem = RpcResult<"explorer_getHealth">["problems"][number];

export function NodeProblems() {
  const { data, error } = useQuery(healthQuery(useSource()));
  if (error) return <p className="notice notice-neg">Health unknown: the server isn’t responding.</p>;
  return data && <ProblemList problems={data.problems} />;
}

export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) {
    return (
      <p className="notice notice-pos">
        <Icon name="check" className="mt-1 text-pos" />
        <span>
          <strong className="mr-2 font-semibold">Healthy</strong>{" "}
          <span className="text-ink-2">No known problems with storage, blocks, the index or gas for settlements.</span>
        </span>
      </p>
    );
  }
  return (
    <ul aria-label="Problems" className="flex flex-col gap-3">
      {problems.map(({ code, severity, message, fix }) => (
        <li key={code} role="alert" className={`notice ${severity === "down" ? "notice-neg" : "notice-warn"}`}>
          <Icon name="alert" className={`mt-1 ${severity === "down" ? "text-neg" : "text-warn"}`} />
          <div>
            <p className="font-semibold">{message}</p>
            <p>{fix}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

"use client";
/** The network's current problems and how to fix them; a single line if there are none. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/atoms/Icon";
import { useSource } from "@/components/layout/NetworkContext";
import { healthQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

type Problem = RpcResult<"explorer_getHealth">["problems"][number];

export function NodeProblems() {
  const { data, error } = useQuery(healthQuery(useSource()));
  if (error) return <p className="notice notice-neg mb-4">Health unknown: the server isn’t responding.</p>;
  return data && <ProblemList problems={data.problems} />;
}

export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) {
    return (
      <p className="mb-4 flex items-center gap-2 text-ink-2">
        <Icon name="check" className="text-pos" />
        No known problems
      </p>
    );
  }
  return (
    <ul aria-label="Problems" className="mb-4 flex flex-col gap-3">
      {problems.map(({ code, severity, message, fix }) => (
        <li key={code} role="alert" className={`notice ${severity === "down" ? "notice-neg" : "notice-warn"}`}>
          <Icon name="alert" className={severity === "down" ? "text-neg" : "text-warn"} />
          <div>
            <p className="font-semibold">{message}</p>
            <p>{fix}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

"use client";
/** The network's current problems and how to fix them. If there are none, this is a single line. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/atoms/Icon";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { healthQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

type Problem = RpcResult<"explorer_getHealth">["problems"][number];

export function NodeProblems() {
  const { embedded } = useNetwork();
  const { data, error } = useQuery(healthQuery(useSource()));
  if (error) return <p className="notice notice-neg">Health unknown: the server isn’t responding.</p>;
  const note = embedded
    ? "The head may be old: blocks are mined when transactions arrive."
    : "The head may be old, as long as the remote node responds.";
  return data && <ProblemList problems={data.problems} note={note} />;
}

/** `note` says more about a healthy network. */
export function ProblemList({ problems, note }: { problems: readonly Problem[]; note?: string }) {
  if (problems.length === 0) {
    return (
      <p className="notice notice-pos items-center">
        <Icon name="check" className="text-pos" />
        <span>
          <strong className="mr-2 font-semibold">Healthy</strong>{" "}
          <span className="text-ink-2">
            No known problems with storage, blocks, the index or gas for settlements. {note}
          </span>
        </span>
      </p>
    );
  }
  return (
    <ul aria-label="Problems" className="flex flex-col gap-3">
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

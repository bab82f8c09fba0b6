"use client";
/**
 * The state of a signed EIP-3009 authorization: its nonce is open, used or canceled. authorizationState() doesn't
 * distinguish used from canceled, but the token's logs do.
 */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { TextField } from "@/components/atoms/TextField";
import { TxLink } from "@/components/atoms/TxLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { findUintAnswer } from "@/components/token/useToken";
import { eventTopics } from "@/lib/decode/selectors";
import { addressLogsQuery, viewQuery } from "@/lib/query/explorerQueries";

const stateSelector = "0xe94a0102";
const canceledTopic = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";

type Asked = { authorizer: string; nonce: string };

export function AuthorizationState({ address }: { address: string }) {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [isBad, setBad] = useState(false);

  function check(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const authorizer = String(form.get("authorizer")).trim().toLowerCase();
    const nonce = String(form.get("nonce")).trim().toLowerCase();
    const isGood = /^0x[0-9a-f]{40}$/.test(authorizer) && /^0x[0-9a-f]{64}$/.test(nonce);
    setBad(!isGood);
    setAsked(isGood ? { authorizer, nonce } : undefined);
  }

  return (
    <Sheet title="Check an authorization" id="authorization">
      <p className="border-line border-b px-4 py-2 text-pretty text-13 text-ink-2">
        Find out whether a signed EIP-3009 authorization was used, was canceled, or is still open.
      </p>
      {/* Each field is wide enough for what it asks for, if the screen is. On narrower screens, both are equally wide. */}
      <form
        className="filter-row border-b-0! pb-4! max-lg:grid max-lg:justify-items-start max-lg:gap-y-4"
        onSubmit={check}
      >
        <TextField
          label="Authorizer"
          name="authorizer"
          placeholder="Address, 0x…"
          className="basis-80! max-lg:w-full lg:max-w-120"
        />
        <TextField
          label="Nonce"
          name="nonce"
          placeholder="32 bytes, 0x…"
          className="basis-124! max-lg:w-full lg:max-w-160"
        />
        <button type="submit" className="button">
          Check
        </button>
      </form>
      <div className="px-4 not-empty:pb-3" role="status">
        {isBad && <p className="text-neg">Enter an authorizer (0x + 40 hex) and a nonce (0x + 64 hex).</p>}
        {asked && <Answer key={`${asked.authorizer}${asked.nonce}`} address={address} asked={asked} />}
      </div>
    </Sheet>
  );
}

function Answer({ address, asked: { authorizer, nonce } }: { address: string; asked: Asked }) {
  const source = useSource();
  const topicOfAuthorizer = `0x${authorizer.slice(2).padStart(64, "0")}`;
  const data = `${stateSelector}${topicOfAuthorizer.slice(2)}${nonce.slice(2)}`;
  const state = useQuery(viewQuery(source, address, data, ["head"]));
  const used = useQuery(addressLogsQuery(source, address, [eventTopics.AuthorizationUsed, topicOfAuthorizer, nonce]));
  const canceled = useQuery(addressLogsQuery(source, address, [canceledTopic, topicOfAuthorizer, nonce]));
  if (used.error) return <QueryFailure error={used.error} method="explorer_getLogs" onRetry={used.refetch} />;
  if (state.error) return <p className="text-ink-2">The token has no authorizationState()</p>;
  if (!state.data || !used.data || !canceled.data) return <span className="skeleton w-64" />;
  const spent = findUintAnswer(state.data);
  if (spent === undefined) return <p className="text-ink-2">The token has no authorizationState()</p>;
  if (spent === 0n) return <p className="text-pos">Open: an authorization with this nonce can still be used</p>;
  const log = used.data.items[0] ?? canceled.data.items[0];
  const text = used.data.items[0]
    ? "Used: the authorization was settled"
    : canceled.data.items[0]
      ? "Canceled by its authorizer"
      : "Used (event not found)";
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      {text}
      {log && <TxLink hash={log.transactionHash} />}
    </p>
  );
}

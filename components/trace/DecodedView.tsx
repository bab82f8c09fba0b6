"use client";
/** A decoded value as a table. Addresses are links, amounts are exact, and nested calldata is decoded too. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { SignatureText } from "@/components/atoms/SignatureText";
import { useNetwork } from "@/components/layout/NetworkContext";
import { PaidAmount } from "@/components/payments/PaidAmount";
import type { Decoded, DecodedValue } from "@/lib/decode/decoded";
import { findNamedToken, isIdentifier, isLargest, isTime, isTokenAmount } from "@/lib/decode/meanings";
import { formatDate } from "@/lib/formatTime";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { formatInteger } from "@/lib/units";

/** Longer lists are truncated. The raw view has all items. */
const shownItems = 50;

type ReadingOptions = {
  /** The contract that received the data. Amounts are in its units, unless the values name another token. */
  token?: string | undefined;
  /** Set if the signature is shown elsewhere. */
  unsigned?: boolean;
};

export function DecodedView({ decoded, token, unsigned = false }: { decoded: Decoded } & ReadingOptions) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {decoded.signature !== "" && !unsigned && <Signature decoded={decoded} />}
      {decoded.values.length > 0 && <Values values={decoded.values} token={token} />}
      {decoded.results && decoded.results.length > 0 && (
        <>
          <span className="label">Returned</span>
          <Values values={decoded.results} token={token} />
        </>
      )}
    </div>
  );
}

export function Signature({ decoded }: { decoded: Decoded }) {
  return (
    <span className="signature">
      <SignatureText signature={decoded.signature} />
      {decoded.interfaces.slice(0, 3).map((name) => (
        <span key={name} className="method">
          {name}
        </span>
      ))}
      {decoded.guess && (
        <span className="method !border-warn !text-warn" title="Only the selector matches, so this may be wrong.">
          candidate
        </span>
      )}
    </span>
  );
}

/** Shows the first decoding. If the data fits other signatures too, lists their decodings below it. */
export function Readings({ readings, token, unsigned = false }: { readings: Decoded[] } & ReadingOptions) {
  const [first, ...others] = readings;
  if (!first) return null;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <DecodedView decoded={first} token={token} unsigned={unsigned} />
      {others.length > 0 && (
        <details>
          <summary className="cursor-pointer text-13 text-ink-2">
            {others.length} other possible {plural(others.length, "signature")}
          </summary>
          <div className="mt-2 flex flex-col gap-3">
            {others.map((other) => (
              <DecodedView key={`${other.signature}${other.interfaces[0]}`} decoded={other} token={token} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

export function Values({ values, token }: { values: DecodedValue[]; token?: string | undefined }) {
  // If one of the values is nested calldata, the address named `target` or `to` is the contract that it calls. Amounts
  // in the calldata are in that contract's units.
  const target = values.find(({ name, type }) => type === "address" && (name === "target" || name === "to"))?.value;
  const unitToken = findNamedToken(values) ?? token;
  return (
    <dl className="decoded-values">
      {values.slice(0, shownItems).map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no other identity
        <div key={index} className={typeof value.value === "string" && !value.call ? "" : "decoded-list"}>
          <dt className="label" title={value.type}>
            {value.name || (values.length > 1 ? index : "")}{" "}
            {/* A phone has no room for the type beside a name, so it is below it. */}
            <span className={`font-normal ${value.name ? "decoded-type" : ""}`}>
              {value.type.length > 24 ? "tuple" : value.type}
              {value.indexed && " indexed"}
            </span>
          </dt>
          <dd className="min-w-0">
            <Value isRow value={value} token={unitToken} target={target} />
          </dd>
        </div>
      ))}
      {values.length > shownItems && (
        <div>
          <dt />
          <dd className="text-ink-3">and {values.length - shownItems} more, in the raw view</dd>
        </div>
      )}
    </dl>
  );
}

export function Value({
  value: { name, type, value, call },
  token,
  target,
  compact = false,
  isRow = false,
}: {
  value: DecodedValue;
  token?: string | undefined;
  target?: DecodedValue["value"] | undefined;
  /** For lines with several values: omits the copy buttons and truncates long values. */
  compact?: boolean;
  /** For lines with a single value: shows whole addresses. */
  isRow?: boolean;
}) {
  const network = useNetwork();
  if (typeof value !== "string" && compact) {
    return (
      <span className="text-ink-2">
        {value.length} {plural(value.length, "value")}
      </span>
    );
  }
  if (typeof value !== "string") {
    return value.length === 0 ? <span className="text-ink-3">empty</span> : <Values values={value} token={token} />;
  }
  if (type === "address") return <AddressLink full={isRow} copy={!compact} address={value} />;
  if (/^u?int\d*$/.test(type))
    return (
      <Integer
        name={name}
        type={type}
        value={value}
        token={token !== undefined && findToken(network, token) ? token : undefined}
        compact={compact}
      />
    );
  if (call && !compact) {
    return <DecodedView decoded={call} token={typeof target === "string" ? target : undefined} />;
  }
  if (type === "string") {
    return (
      <q className="break-words">{compact && value.length > shownText ? `${value.slice(0, shownText)}…` : value}</q>
    );
  }
  if (type === "bytes32" || (compact && value.length > 10)) {
    return (
      <span className="identifier" data-lit={value}>
        <Hash value={value} short={compact} />
        {!compact && <Copy value={value} what={name || type} />}
      </span>
    );
  }
  return (
    <span className="inline-flex max-w-full items-start gap-1">
      <span className="mono break-all">{value === "0x" ? "none" : toShort(value)}</span>
      {value.length > 10 && <Copy value={value} what={name || type} />}
    </span>
  );
}

/** Longer hex values are truncated to this many digits for display. The copy button copies them in full. */
const shownHex = 800;
/** The maximum length of a text in a line with several values. */
const shownText = 80;

function toShort(hex: string): string {
  return hex.length <= shownHex ? hex : `${hex.slice(0, shownHex - 20)}…${hex.slice(-16)}`;
}

function Integer({
  name,
  type,
  value,
  token,
  compact,
}: {
  name: string;
  type: string;
  value: string;
  token: string | undefined;
  compact: boolean;
}) {
  return (
    <span className={`identifier ${isTime(name, value) ? "flex-wrap gap-y-0!" : ""}`}>
      {isLargest(type, value) ? (
        <span title={formatInteger(BigInt(value))}>largest {type}</span>
      ) : token !== undefined && isTokenAmount({ name, type }) ? (
        <span className="wrap-anywhere min-w-0 [&>*]:whitespace-normal">
          <PaidAmount units={BigInt(value)} token={token} />
          {!compact && (
            <span className="text-ink-3" title="In the token’s smallest unit">
              {" "}
              ({formatInteger(BigInt(value))})
            </span>
          )}
        </span>
      ) : (
        <span className="break-all">
          {isIdentifier(name) || isTime(name, value) ? value : formatInteger(BigInt(value))}
        </span>
      )}
      {/* On phones, the date is on a line of its own, so that the button is beside the value. */}
      {isTime(name, value) && (
        <span className="text-ink-2 max-sm:order-1 max-sm:basis-full">{formatDate(Number(value))}</span>
      )}
      {!compact && <Copy value={value} what={name || type} />}
    </span>
  );
}

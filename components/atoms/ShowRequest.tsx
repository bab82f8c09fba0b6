/**
 * The way from a fact to the JSON-RPC request that it is the answer of. Out of the order of tabs, because the key r
 * shows the requests of the whole page; the frame listens for the click (Keyboard.tsx).
 */
import { Icon } from "@/components/atoms/Icon";

/** A query's key: [network, method, params]. */
export type Request = readonly unknown[];

export function ShowRequest({ request }: { request: Request }) {
  const [, method] = request as [unknown, string];
  return (
    <button
      type="button"
      tabIndex={-1}
      data-opens="requests"
      data-request={JSON.stringify(request)}
      aria-label={`Show the request: ${method}`}
      title={`Show the request: ${method}`}
      className="icon-button quiet show-request"
    >
      <Icon name="request" />
    </button>
  );
}

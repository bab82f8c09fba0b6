/**
 * A button that opens the JSON-RPC request behind a value. It isn't in the tab order, because the r key shows all of
 * the page's requests. Keyboard.tsx handles the click.
 */
import { Icon } from "@/components/atoms/Icon";

/** A query key: [network, method, params]. */
export type Request = readonly unknown[];

/** If `isQuiet` is set, the button is shown only while the pointer is over its line. */
export function ShowRequest({ request, isQuiet = true }: { request: Request; isQuiet?: boolean }) {
  const [, method] = request as [unknown, string];
  return (
    <button
      type="button"
      tabIndex={-1}
      data-opens="requests"
      data-request={JSON.stringify(request)}
      aria-label={`Show the request: ${method}`}
      title={`Show the request: ${method}`}
      // The button adds no height to its line. It is hidden on touch devices, because the footer's button shows all
      // requests.
      className={`icon-button ${isQuiet ? "quiet" : ""} -my-1 align-middle [@media(hover:none)]:hidden`}
    >
      <Icon name="request" />
    </button>
  );
}

/** Shown for an unknown path inside a network. The header, ruler and search remain. */
import { Missing } from "@/components/layout/Missing";

export default function NetworkNotFound() {
  return <Missing />;
}

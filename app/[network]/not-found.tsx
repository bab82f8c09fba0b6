/** An unknown path inside a network; the header, ruler and search stay. */
import { Missing } from "@/components/layout/Missing";

export default function NetworkNotFound() {
  return <Missing />;
}

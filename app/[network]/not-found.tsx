/**
 * An address inside a network that names nothing; header, ruler and search stay.
 */
import { Missing } from "@/components/layout/Missing";

export default function NetworkNotFound() {
  return <Missing />;
}

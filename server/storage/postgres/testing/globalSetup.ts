/** Names the run's Postgres before its processes start, and stops it after them, where a test started it. */
import { prepareCluster } from "@/server/storage/postgres/testing/cluster";

export default prepareCluster;

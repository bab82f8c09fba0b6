/**
 * Topics are sets of rows that instances watch for changes. Each topic has a version that grows with every change, and
 * each row stores the version of its last write. Writers lock the topic's row, so versions become visible in order.
 */
import type { Topic, TopicVersions } from "@/server/ports/store";
import type { SqlReader, SqlWriter } from "@/server/storage/sql";

const touch = `insert into topic (name, version) values (?, 1)
  on conflict (name) do update set version = topic.version + 1`;

/**
 * Returns the version for the changes that this transaction makes to a topic. Other writers to the topic wait until
 * this transaction ends.
 */
export async function nextVersion(tx: SqlWriter, topic: Topic): Promise<number> {
  return (await tx.get<{ version: number }>(`${touch} returning version`, [topic]))!.version;
}

/** Use this for topics whose rows don't store a version. */
export async function touchTopic(tx: SqlWriter, topic: Topic): Promise<void> {
  await tx.change(touch, [topic]);
}

/** Returns the versions that are currently visible. The version is 0 if a topic has never changed. */
export async function findVersions(sql: SqlReader): Promise<TopicVersions> {
  const rows = await sql.all<{ name: string; version: number }>("select name, version from topic", []);
  const versions: TopicVersions = { chain: 0, pool: 0, payment: 0 };
  for (const { name, version } of rows) versions[name as Topic] = version;
  return versions;
}

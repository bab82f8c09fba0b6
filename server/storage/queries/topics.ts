/**
 * Topics whose changes instances follow. Each topic has a version that grows with every change, and rows carry the
 * version of their last write. Writers lock the topic's row, so versions become visible in order.
 */
import type { Topic, TopicVersions } from "@/server/ports/store";
import type { SqlReader, SqlWriter } from "@/server/storage/sql";

const touch = `insert into topic (name, version) values (?, 1)
  on conflict (name) do update set version = topic.version + 1`;

/**
 * Returns the version of this transaction's changes to a topic. Other writers of the topic wait until this transaction
 * ends.
 */
export async function nextVersion(tx: SqlWriter, topic: Topic): Promise<number> {
  return (await tx.get<{ version: number }>(`${touch} returning version`, [topic]))!.version;
}

/** For topics whose rows don't carry a version. */
export async function touchTopic(tx: SqlWriter, topic: Topic): Promise<void> {
  await tx.change(touch, [topic]);
}

/** The versions that are visible now; 0 if a topic never changed. */
export async function findVersions(sql: SqlReader): Promise<TopicVersions> {
  const rows = await sql.all<{ name: string; version: number }>("select name, version from topic", []);
  const versions: TopicVersions = { chain: 0, pool: 0, payment: 0 };
  for (const { name, version } of rows) versions[name as Topic] = version;
  return versions;
}

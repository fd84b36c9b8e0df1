/**
 * Shards: the parts into which the rows of a database are divided by their Sessions, so that several Hosts can share them.
 *
 * @since 0.1.0
 */

/**
 * How many shards a database has unless another number is asked for when it is made.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultCount = 32

/**
 * The largest number of shards that a database can have.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxCount = 4096

/**
 * The shard of a Session, from 0 to `count - 1`. It never changes: rows are stored under it. FNV-1a over the UTF-16 code units
 * of the id, its bits mixed once more (the finalizer of MurmurHash3), because ids often differ in their last letters only.
 *
 * @since 0.1.0
 * @category getters
 */
export const of = (sessionId: string, count: number): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < sessionId.length; i++) {
    const unit = sessionId.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % count
}

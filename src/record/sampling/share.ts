/**
 * Maps a trace id to a number between 0 and 1: the same on every machine, and evenly distributed whatever the ids consist of. A run belongs to every
 * share larger than this number.
 */
export function shareOf(traceId: string): number {
  // FNV-1a, followed by the last step of MurmurHash3, without which similar ids would lie close together.
  let hash = 0x811c9dc5
  for (let index = 0; index < traceId.length; index += 1) hash = Math.imul(hash ^ traceId.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

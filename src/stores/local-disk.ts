import { statfsSync } from 'node:fs'
import path from 'node:path'

/** What Linux calls the file systems that lie in the machine: `statfs(2)`, `linux/magic.h`. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x794c7630, // overlay, as containers have it
  0x01021994, // tmpfs
  0x858458f6, // ramfs
])

/**
 * Whether a directory, which may not be there yet, lies on a disk of this machine, where an append takes microseconds. Only Linux tells; what is not
 * known to be local is not.
 *
 * @note Asks the file system, which does not answer where a mount has gone: not to be called where nothing else of the store's is.
 */
export function isOnLocalDisk(directory: string): boolean {
  if (process.platform !== 'linux') return false
  const absolute = path.resolve(directory)
  try {
    return LOCAL.has(statfsSync(absolute).type)
  } catch (error) {
    const parent = path.dirname(absolute)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && parent !== absolute && isOnLocalDisk(parent)
  }
}

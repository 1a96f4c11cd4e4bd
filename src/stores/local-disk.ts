import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { orElse } from '../trace/or-else.ts'

/** Local file systems of Linux. Containers use `overlay`. */
const LOCAL: ReadonlySet<string> = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'zfs', 'bcachefs', 'overlay', 'tmpfs', 'ramfs'])

/** The most symbolic links that Linux follows. */
const MOST_LINKS = 40

/** Where a directory is: on a local disk, elsewhere (network, FUSE), or unknown. */
export type DiskPlace = 'local' | 'elsewhere' | 'unknown'

/**
 * Returns where a directory, existing or not, is. On a local disk an append takes microseconds. Only known on Linux.
 *
 * @note Reads the kernel's list of mounts and accesses only local file systems: a network one whose server is gone would never answer.
 */
export function placeOfDisk(directory: string): DiskPlace {
  if (process.platform !== 'linux') return 'unknown'
  return orElse(() => followPath(path.resolve(directory), readMounts(), MOST_LINKS), 'unknown')
}

interface Mount {
  readonly id: string
  readonly parent: string
  readonly point: string
  readonly type: string
}

/** Source: proc(5), `/proc/pid/mountinfo`. Spaces and similar characters are octal escapes there. */
function readMounts(): Mount[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [id = '', parent = '', , , point = ''] = line.split(' ')
    const [type = ''] = line.slice(line.indexOf(' - ') + 3).split(' ')
    return {
      id,
      parent,
      type,
      point: point.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
    }
  })
}

function followPath(absolute: string, mounts: readonly Mount[], links: number): DiskPlace {
  const ids = new Set(mounts.map(({ id }) => id))
  const root = mounts.find(({ id, parent, point }) => point === '/' && (parent === id || !ids.has(parent)))
  let mount = root && topmost(root, '/', mounts)
  let at = '/'
  for (const name of absolute.split('/').filter((part) => part !== '')) {
    if (mount === undefined) return 'unknown'
    if (!LOCAL.has(mount.type)) return 'elsewhere'
    const next = path.join(at, name)
    const mounted = topmost(mount, next, mounts)
    if (mounted === mount) {
      const stats = lstatSync(next, { throwIfNoEntry: false })
      if (stats === undefined) return 'local'
      if (stats.isSymbolicLink()) {
        const target = path.resolve(at, readlinkSync(next), absolute.slice(next.length + 1))
        return links > 0 ? followPath(target, mounts, links - 1) : 'unknown'
      }
    }
    mount = mounted
    at = next
  }
  if (mount === undefined) return 'unknown'
  return LOCAL.has(mount.type) ? 'local' : 'elsewhere'
}

/** Returns the topmost mount at a path within a mount; the mount itself if there is none. */
function topmost(mount: Mount, point: string, mounts: readonly Mount[]): Mount {
  const child = mounts.find((other) => other.parent === mount.id && other.id !== mount.id && other.point === point)
  return child === undefined ? mount : topmost(child, point, mounts)
}

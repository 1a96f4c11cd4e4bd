import { builtins } from './builtins.ts'

/**
 * Returns a name of this process by which others can tell that it has ended: the machine's boot, the namespace of its process ids, and its id. Undefined
 * where the system says neither: only Linux does, and a host's name may be that of several machines or containers.
 */
export function processName(): string | undefined {
  const place = placeOfProcesses()
  return place && `${place} ${process.pid}`
}

/** Returns whether the process with a name has ended. False if that is not known: it may run on another machine, or another process has its id now. */
export function hasEnded(name: string | undefined): boolean {
  if (name === undefined) return false
  const [, place, pid] = /^(.*) (\d+)$/.exec(name) ?? []
  if (place === undefined || place !== placeOfProcesses()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function placeOfProcesses(): string | undefined {
  const { fs } = builtins
  try {
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

import { join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { runOutside } from '../../run/scope.ts'
import { orElse } from '../../trace/or-else.ts'

/** The folders of replays that have not ended. */
const left = processWide('file-overlays', () => ({ roots: new Set<string>(), isHeard: false }))

/** Makes a temporary folder. It is removed when the process exits, or by a later process if this one is killed. */
export function makeTemporaryFolder(): string {
  const { fs, os } = builtins
  const temporary = fs.realpathSync(os.tmpdir())
  if (!left.isHeard) {
    left.isHeard = true
    // The first write of a run makes the first folder.
    runOutside(() => process.on('exit', () => left.roots.forEach(removeTemporaryFolder)))
    sweep(temporary)
  }
  const folder = fs.mkdtempSync(join(temporary, `${prefix()}${process.pid}-`))
  left.roots.add(folder)
  return folder
}

/** Removes a temporary folder, and what the agent has made of the permissions in it. */
export function removeTemporaryFolder(folder: string): void {
  const { fs } = builtins
  runOutside(() => {
    const remove = (): void => fs.rmSync(folder, { recursive: true, force: true })
    if (orElse(remove, 'failed') === 'failed') {
      makeWritable(folder)
      orElse(remove, undefined)
    }
  })
  left.roots.delete(folder)
}

/** Removes the folders of processes that were killed. */
function sweep(temporary: string): void {
  const { fs } = builtins
  const own = prefix()
  for (const name of orElse(() => fs.readdirSync(temporary), [])) {
    if (!name.startsWith(own)) continue
    const pid = /^(\d+)-/.exec(name.slice(own.length))?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) removeTemporaryFolder(join(temporary, name))
  }
}

/** Containers may share the folder for temporary files, and number their processes on their own. */
function prefix(): string {
  const namespace = orElse(() => /\d+/.exec(builtins.fs.readlinkSync('/proc/self/ns/pid'))?.[0], undefined)
  return `goldenrun-files-${namespace ?? 0}-`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function makeWritable(folder: string): void {
  const { fs } = builtins
  orElse(() => fs.chmodSync(folder, 0o700), undefined)
  for (const entry of orElse(() => fs.readdirSync(folder, { withFileTypes: true }), []))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name))
}

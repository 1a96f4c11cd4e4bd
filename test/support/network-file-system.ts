import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** What a process reads of its mounts. Source: proc(5), `/proc/pid/mountinfo`, where the type of the file system follows a dash. */
const MOUNTS = '/proc/self/mountinfo'

/** Has this process take the directories of recorders whose first run begins from now on for those of a network file system, until it is disposed of. */
export function pretendNetworkFileSystem(): Disposable {
  const { readFileSync } = fs
  const replace = (read: typeof readFileSync): void => {
    fs.readFileSync = read
    syncBuiltinESMExports()
  }
  const pretend = (...args: Parameters<typeof readFileSync>): string | Buffer =>
    args[0] === MOUNTS ? readFileSync(MOUNTS, 'utf8').replaceAll(/ - \S+/g, ' - nfs4') : readFileSync(...args)
  replace(pretend as typeof readFileSync)
  return { [Symbol.dispose]: () => replace(readFileSync) }
}

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** What a process reads of its mounts. Source: proc(5), `/proc/pid/mountinfo`, where the type of the file system follows a dash. */
const MOUNTS = '/proc/self/mountinfo'

/** For the rest of the test, directories of recorders whose first run begins from now on count as those of a network file system. */
export function pretendNetworkFileSystem(): void {
  const { readFileSync } = fs
  const replace = (read: typeof readFileSync): void => {
    fs.readFileSync = read
    syncBuiltinESMExports()
  }
  const pretend = (...args: Parameters<typeof readFileSync>): string | Buffer =>
    args[0] === MOUNTS ? readFileSync(MOUNTS, 'utf8').replaceAll(/ - \S+/g, ' - nfs4') : readFileSync(...args)
  replace(pretend as typeof readFileSync)
  onTestFinished(() => replace(readFileSync))
}

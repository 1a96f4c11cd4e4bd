import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** When a client is made: before goldenrun is loaded, or after a recorder was made. */
export type Time = 'early' | 'late'

/** What a trial covers. */
export interface Trial {
  /** A door, by its name. */
  readonly door: string
  readonly time: Time
  /** Of the behaviours, those that every door is held to on every change, or all. */
  readonly extent: 'core' | 'all'
}

/** What was found out about a behaviour through a door. */
export interface Finding {
  readonly behaviour: string
  /** What was not as it has to be; empty when all was. */
  readonly wrong: readonly string[]
}

const program = fileURLToPath(new URL('./try-door.ts', import.meta.url))

/**
 * Tries a door in a process of its own.
 *
 * @param node The path of a Node binary. Default: this process's.
 */
export function runTrial({ door, time, extent }: Trial, node: string = process.execPath): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    // What a test runner sets for its own workers is nothing for this one.
    const env = { PATH: process.env['PATH'] ?? '' }
    const args = ['--disable-warning=ExperimentalWarning', program, door, time, extent]
    execFile(node, args, { env, timeout: 120_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Finding[])
      else reject(new Error(`The trial of ${door}, ${time}, did not come to its end: ${stderr.slice(-2000) || error.message}`))
    })
  })
}

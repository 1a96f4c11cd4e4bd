import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What was found out about a flow of a driver. */
export interface DriverFinding {
  readonly flow: string
  readonly time: 'early' | 'late'
  /** What was not as it has to be; empty when all was. */
  readonly wrong: readonly string[]
}

/** A driver in a version, on a version of Node. */
export interface DriverTrial {
  readonly driver: string
  /** Where its package is installed. */
  readonly folder: string
  readonly port: number
  /** The path of a Node binary. */
  readonly node: string
}

const program = fileURLToPath(new URL('../try-driver.ts', import.meta.url))
const register = new URL('../../../src/register.ts', import.meta.url).href

/** Tries a driver in a process of its own. */
export function runDriverTrial({ driver, folder, port, node }: DriverTrial): Promise<DriverFinding[]> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const args = ['--disable-warning=ExperimentalWarning', '--import', register, program, driver, folder, String(port)]
    execFile(node, args, { env, timeout: 300_000, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as DriverFinding[])
      else reject(new Error(`The trial of ${driver} in ${folder} did not come to its end: ${stderr.slice(-2000) || error.message}`))
    })
  })
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { VitestProject } from '../../test/support/vitest-workspace.ts'
import type { Metric, Metrics } from '../figures.ts'
import { versionOf, PEER_PACKAGES } from '../replay/peers/install.ts'
import { median } from '../rounds.ts'
import type { RunnerSizes } from './sizes.ts'

const GOAL = 30

/** Measures importing the root entry in a new process, as a server does that records its agent. */
export async function measureImports(
  note: (line: string) => void,
  { imports }: RunnerSizes,
  project: VitestProject,
  hasAimock: boolean,
): Promise<Metrics> {
  note(`Importing what is measured in ${imports} new processes each.`)
  const names = ['goldenrun', ...(hasAimock ? [PEER_PACKAGES.aimock] : [])]
  const times = new Map(names.map((name) => [name, [] as Import[]]))
  for (let round = 0; round < imports; round += 1) {
    for (const name of names) times.get(name)?.push(await importOnce(project, name))
  }
  const metric = (name: string, called: string): Metric => {
    const each = times.get(name) ?? []
    const cpu = median(each.map((one) => one.cpu)).toFixed(1)
    return {
      value: median(each.map(({ wall }) => wall)),
      unit: 'ms',
      against: `import of ${called} in a new process; ${cpu} ms in CPU time`,
    }
  }
  return {
    root_import_ms: { ...metric('goldenrun', 'goldenrun'), goal: GOAL },
    ...(hasAimock ? { aimock_import_ms: metric(PEER_PACKAGES.aimock, `${PEER_PACKAGES.aimock} ${versionOf(PEER_PACKAGES.aimock)}`) } : {}),
  }
}

/** In milliseconds. */
interface Import {
  readonly wall: number
  readonly cpu: number
}

async function importOnce({ path: cwd }: VitestProject, name: string): Promise<Import> {
  const program = `
    const cpu = process.cpuUsage()
    const started = performance.now()
    await import(${JSON.stringify(name)})
    const wall = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd })
  return JSON.parse(stdout) as Import
}

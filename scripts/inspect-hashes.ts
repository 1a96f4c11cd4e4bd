/**
 * Inspects the runs of `test/chaos` a thousand times on several versions of Node: `npm run test:full -- inspect`, or `-- inspect --replays 20`. Fails
 * if the inspector changes the hash of a run.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { programs } from '../test/chaos/programs.ts'
import type { RepeatedInspection } from '../test/travel/inspect/repeat-inspected.ts'
import { locateNode } from './locate-node.ts'

const { values } = parseArgs({
  options: { replays: { type: 'string', default: '1000' }, seed: { type: 'string', default: String(Date.now()) } },
})
const program = fileURLToPath(new URL('../test/travel/inspect/repeat-inspected-program.ts', import.meta.url))
const names = Object.keys(programs)
const each = Math.ceil(Number(values.replays) / names.length)
for (const { path, version } of [22, 24, 26].map(locateNode)) {
  let equal = 0
  for (const name of names) {
    const { stdout } = await promisify(execFile)(path, ['--disable-warning=ExperimentalWarning', program, name, String(each), values.seed])
    const repeated = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RepeatedInspection
    equal += repeated.equal
    console.log(`${version}, ${name}: ${repeated.equal} of ${repeated.replays} equal, ${repeated.frames.join(' or ')} frames each`)
  }
  console.log(`${version}: ${equal} of ${each * names.length} equal`)
  if (equal < each * names.length) process.exitCode = 1
}

/**
 * Replays each program of `test/chaos` a thousand times on several versions of Node, and writes the results to `docs/determinism.md`:
 * `npm run determinism`, or `npm run determinism -- --replays 50 --seed a`. Fails if two replays differ from each other or from their recording.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { programs } from '../test/chaos/programs.ts'
import { faultsOf, type Repeated } from '../test/chaos/repeat.ts'
import { locateNode } from './locate-node.ts'

interface Result {
  readonly node: string
  readonly repeated: Repeated
  readonly faults: readonly string[]
}

const { values } = parseArgs({
  options: { replays: { type: 'string', default: '1000' }, seed: { type: 'string', default: String(Date.now()) } },
})
const { replays, seed } = values
const program = fileURLToPath(new URL('../test/chaos/repeat-program.ts', import.meta.url))
const results: Result[] = []
for (const { path, version } of [22, 24, 26].map(locateNode)) {
  for (const name of Object.keys(programs)) {
    const { stdout } = await promisify(execFile)(path, ['--disable-warning=ExperimentalWarning', program, name, replays, seed], {
      maxBuffer: 2 ** 26,
    })
    const repeated = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Repeated
    const faults = faultsOf(repeated)
    results.push({ node: version, repeated, faults })
    console.log([version, name, `${repeated.replays} replays`, ...(faults.length === 0 ? ['all the same'] : faults)].join(', '))
  }
}
writeFileSync(new URL('../docs/determinism.md', import.meta.url), printPage())
if (results.some(({ faults }) => faults.length > 0)) {
  console.error(`Repeat it with: npm run determinism -- --seed ${seed}`)
  process.exitCode = 1
}

function printPage(): string {
  const rows = results.map(({ node, repeated, faults }) => [
    repeated.about,
    node,
    repeated.replays,
    repeated.hashes.length,
    repeated.outcomes.length,
    (repeated.milliseconds / repeated.replays).toFixed(1),
    faults.length === 0 ? 'the recording' : faults.join('; '),
  ])
  const head = ['run', 'node', 'replays', 'hashes', 'outcomes', 'ms each', 'equal to']
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `# Determinism

Written by \`npm run determinism\`. Each run was recorded over HTTP on loopback, with the SDKs that agents use, and
replayed on the same version of Node, with every service that it had called gone. All replays have one hash and one
outcome, equal to those of the recording. The seed \`${seed}\` drew the delays of the providers:
\`npm run determinism -- --seed ${seed}\` draws them again.

${table}
`
}

import { replay } from '../../src/replay/replay.ts'
import { createAgent } from './agent.ts'
import { baseProgram } from './base-program.ts'
import { recordPrograms } from './record-programs.ts'
import { RunLog } from './run-log.ts'
import { startWorld } from './world.ts'
import { edits, sensiblePairs } from './edits.ts'
import { expectedVerdict } from './expected-verdict.ts'
import { logEdited } from './log-edited.ts'
await using world = await startWorld()
const n = Number(process.argv[2] ?? 4)
const recordings = await recordPrograms(
  world,
  Array.from({ length: n }, (_, i) => i),
)
const only = process.argv[3]
const all = [...edits, ...(process.argv.includes('--pairs') ? sensiblePairs(edits) : [])].filter(
  (e) => !only || only.startsWith('--') || e.name.includes(only),
)
let cells = 0,
  wrong = 0,
  slow = 0,
  worst = 0
const t0 = performance.now()
const tally = new Map<string, number>()
const logs = await logEdited(world, recordings, all)
console.log('logs', performance.now() - t0, all.length)
for (const edit of all)
  for (const { trace, log } of recordings) {
    const edited = logs.get(edit, log.winner)
    const expected = expectedVerdict(trace, log, edited)
    const start = performance.now()
    const run = await replay(trace, createAgent(edit.apply(baseProgram), world, new RunLog()))
    const ms = performance.now() - start
    worst = Math.max(worst, ms)
    if (ms > 500) slow++
    cells++
    const [d] = run.divergences
    const show = (v: { readonly cause: string; readonly position: string; readonly step: number } | undefined) =>
      v === undefined ? 'green' : `${v.cause} ${v.position} ${v.step}`
    if (show(d) !== show(expected) || (d === undefined && run.hash !== trace.hash)) {
      wrong++
      const key = `${edit.name}: expected ${show(expected)}, got ${show(d)}${d?.name ? ' ' + d.name : ''} ${JSON.stringify(d?.differences?.slice(0, 2).map((x) => x.path) ?? '')} [${log.winner}]`
      tally.set(key, (tally.get(key) ?? 0) + 1)
    }
  }
for (const [k, v] of tally) console.log(v, k)
console.log({ cells, wrong, slow, worst, total: performance.now() - t0 })

import { replay } from '../src/replay/replay.ts'
import { compareRuns } from '../src/replay/compare-runs.ts'
import { createAgent } from '../test/edits/agent.ts'
import { baseProgram } from '../test/edits/base-program.ts'
import { recordPrograms } from '../test/edits/record-programs.ts'
import { RunLog } from '../test/edits/run-log.ts'
import { startWorld } from '../test/edits/world.ts'
import { edits } from '../test/edits/edits.ts'
await using world = await startWorld()
const recordings = await recordPrograms(world, [0,1,2])
const show = (d: any) => d === undefined ? 'green' : `${d.cause} ${d.position} ${d.step} ${d.name} ${d.parts}`
let n=0, bad=0, hash=0
for (const mode of ['continue','stop'] as const)
for (const { trace } of recordings) for (const edit of [{name:'none',apply:(p:any)=>p}, ...edits]) {
  const run = await replay(trace, createAgent(edit.apply(baseProgram) as any, world, new RunLog()), { onDivergence: mode })
  const t = performance.now()
  const c = await compareRuns(trace, run)
  const ms = performance.now()-t
  n++
  if (run.toTrace().hash !== run.hash) { hash++; console.log("hash", mode, edit.name) }
  if (show(c.divergences[0]) !== show(run.divergences[0])||ms>600) { bad++; console.log(mode, edit.name, '| replay', show(run.divergences[0]), '| compare', show(c.divergences[0]), ms.toFixed(0)) }
}
console.log({n,bad,hash})

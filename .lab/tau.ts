import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { TAU_FOLDER, loadTauRun } from '../examples/tau/tau-run.ts'
import { createTemporaryDirectory } from '../test/support/temporary-directory.ts'
import { recordGoldenRuns } from '../test/tau/golden-runs.ts'
import { compareRuns } from '../src/replay/compare-runs.ts'
const folder = join(TAU_FOLDER, '../same-task-4-trials')
const runs = readdirSync(folder).filter(f=>f.endsWith('.json')).toSorted().map(f=>loadTauRun(join(folder,f)))
await using d = await createTemporaryDirectory()
const goldens = await recordGoldenRuns(d.path, runs, ()=>false)
for (let g=0; g<4; g++) for (let i=0;i<4;i++) for (let j=i;j<4;j++) {
  const [a,b]=[goldens[g*4+i]!,goldens[g*4+j]!]
  const t=performance.now()
  const c = await compareRuns(a.trace,b.trace)
  const f=c.divergences[0]
  console.log(a.name,b.name, (performance.now()-t).toFixed(0)+'ms', c.divergences.length, f&&[f.cause,f.step,f.position,f.name,f.parts.join(), f.differences.map(x=>x.path).slice(0,3).join()].join(' | '))
}

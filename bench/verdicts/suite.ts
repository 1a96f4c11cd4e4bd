import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Suite } from '../figures.ts'
import { type Desk, deskSubject } from './desk-subject.ts'
import { countSteps } from './judge/first-difference.ts'
import { judgeMutants } from './judge-mutants.ts'
import { DESK_CHANGES } from './mutations/desk-mutations.ts'
import { DESK_REFACTORINGS } from './mutations/desk-refactorings.ts'
import { SUPPORT_CHANGES, SUPPORT_REFACTORINGS } from './mutations/support-mutations.ts'
import { recordOthers } from './others.ts'
import type { Scene } from './subject.ts'
import { supportSubject } from './support-subject.ts'
import { toMetrics, toMistakes, toPeerMetrics, toRows } from './tally.ts'

/** Whether verdicts are right: agents are mutated, the world around them says what is different, and replays have to say the same. */
export const measureVerdicts: Suite = async (note) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-verdicts-'))
  try {
    note('Recording the desk over the real runs.')
    await using desk = await deskSubject.open(folder)
    await using support = await supportSubject.open(folder)
    for (const scene of [...desk.scenes, ...support.scenes]) check(scene)
    const [first] = desk.scenes
    if (first === undefined) return { metrics: {}, absences: { mutations: 'the recorded runs are not there' } }
    await using others = await recordOthers(desk.scenes, (await first.agentOf(deskSubject.source)) as Desk, folder, note)

    const changes = [...DESK_CHANGES, ...DESK_REFACTORINGS]
    note(`Trying ${changes.length} mutations of the desk in ${desk.scenes.length} worlds.`)
    const judged = await judgeMutants(deskSubject, desk.scenes, changes, others.ask)
    const more = [...SUPPORT_CHANGES, ...SUPPORT_REFACTORINGS]
    note(`Trying ${more.length} mutations of the support agent in ${support.scenes.length} worlds.`)
    judged.push(...(await judgeMutants(supportSubject, support.scenes, more, () => Promise.resolve({}))))

    const peers = others.names.map(([name, packageName]) => toPeerMetrics(judged, name, packageName))
    return {
      metrics: Object.assign(toMetrics(judged), ...peers),
      absences: others.absences,
      rows: toRows(
        judged,
        others.names.map(([name]) => name),
      ),
      remarks: toMistakes(judged),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the world saw and what was recorded have to be the same calls, or nothing that follows means anything. */
function check({ name, trace, log }: Scene): void {
  if (trace.steps.length !== countSteps(log)) {
    throw new Error(`The trace of ${name} has ${trace.steps.length} steps, the world around it saw ${countSteps(log)}.`)
  }
}

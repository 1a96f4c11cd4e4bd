import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Suite } from '../figures.ts'
import { type Desk, deskSubject } from './desk-subject.ts'
import { countSteps } from './judge/first-difference.ts'
import { judgeMutants } from './judge-mutants.ts'
import { DESK_CHANGES } from './mutations/desk-mutations.ts'
import { DESK_REFACTORINGS } from './mutations/desk-refactorings.ts'
import type { Mutation } from './mutations/mutation.ts'
import { SUPPORT_CHANGES, SUPPORT_REFACTORINGS } from './mutations/support-mutations.ts'
import { recordOthers } from './others.ts'
import type { Scene } from './subject.ts'
import { supportSubject } from './support-subject.ts'
import { toMetrics, toMistakes, toPeerMetrics, toRows } from './tally.ts'
import { measureVerdictShare } from './verdict-share.ts'

/** Runs, and mutations of each agent, of a quick look; the others are not asked then. */
const QUICK = { runs: 2, every: 9 }

/** Whether verdicts are right: agents are mutated, the world around them says what is different, and replays have to say the same. */
export const measureVerdicts: Suite = async (note, options) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-verdicts-'))
  const runs = options.quick ? QUICK.runs : Infinity
  const some = (mutations: readonly Mutation[]): Mutation[] =>
    mutations.filter((_mutation, index) => !options.quick || index % QUICK.every === 0)
  try {
    // Before the others are loaded: a time is measured.
    const share = await measureVerdictShare(note, options)
    note('Recording the desk over the real runs.')
    await using desk = await deskSubject.open(folder, runs)
    await using support = await supportSubject.open(folder, runs)
    for (const scene of [...desk.scenes, ...support.scenes]) check(scene)
    const [first] = desk.scenes
    if (first === undefined) return { metrics: share, absences: { mutations: 'the recorded runs are not there' } }
    const original = (await first.agentOf(deskSubject.source)) as Desk
    await using others = await recordOthers(options.quick ? [] : desk.scenes, original, folder, note)

    const changes = some([...DESK_CHANGES, ...DESK_REFACTORINGS])
    note(`Trying ${changes.length} mutations of the desk in ${desk.scenes.length} worlds.`)
    const judged = await judgeMutants(deskSubject, desk.scenes, changes, others.ask, note)
    const more = some([...SUPPORT_CHANGES, ...SUPPORT_REFACTORINGS])
    note(`Trying ${more.length} mutations of the support agent in ${support.scenes.length} worlds.`)
    judged.push(...(await judgeMutants(supportSubject, support.scenes, more, () => Promise.resolve({}), note)))

    const peers = others.names.map(([name, packageName]) => toPeerMetrics(judged, name, packageName))
    const names = others.names.map(([name]) => name)
    return {
      metrics: Object.assign({}, toMetrics(judged), share, ...peers),
      absences: others.absences,
      rows: toRows(judged, names),
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

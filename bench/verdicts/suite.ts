import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { versionOf } from '../replay/peers/install.ts'
import type { Measured, Metrics, Suite, SuiteOptions } from '../figures.ts'
import { checkDeclarations } from './check-declarations.ts'
import { measureIncidents } from './incidents/incident-figures.ts'
import { loadMutants } from './mutants.ts'
import type { Mutation } from './mutations/mutation.ts'
import { type Others, recordOthers } from './others.ts'
import { recordScenes } from './record-scenes.ts'
import type { Subject } from './scenes/subject.ts'
import { SUBJECTS } from './scenes/subjects.ts'
import { toLinelessRuns, toMetrics, toMistakes, toPeerMetrics, toRows } from './tally.ts'
import { bearRejections } from './bear-rejections.ts'
import { type AskOthers, type TriedRun, tryMutants } from './try-mutants.ts'
import { measureVerdictShare } from './verdict-share.ts'
import { inEnvironment } from './world/environments.ts'
import { startWorldServer, type WorldServer } from './world/world-server.ts'

/** For a quick run: the number of runs of each agent, and every how many mutations one is used. Peers are skipped then. */
const QUICK = { runs: 1, every: 5 }

/** Measures whether verdicts are right: agents are mutated, the effect is declared and checked by the world around them, and replays have to report it. */
export const measureVerdicts: Suite = async (note, options) => {
  const refuseRejections = bearRejections()
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-verdicts-'))
  try {
    // Before the peers are loaded, because this measures a time.
    const share = await measureVerdictShare(note, options)
    return await inEnvironment('production', () => measureAgents({ ...options, folder, note }, share))
  } finally {
    refuseRejections()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Attempt extends SuiteOptions {
  readonly folder: string
  readonly note: (line: string) => void
}

async function measureAgents(attempt: Attempt, share: Metrics): Promise<Measured> {
  const { quick, folder, note } = attempt
  await using server = await startWorldServer()
  await using others = await recordOthers(server, quick, folder, note)
  const tried: TriedRun[] = []
  for (const subject of SUBJECTS) {
    if (subject.scenes.length > 0) tried.push(...(await trySubject(server, subject, others, attempt)))
  }
  const incidents = await measureIncidents(note)
  const names = others.names.map(([name]) => name)
  const peers = others.names.map(([name, packageName]) => toPeerMetrics(tried, name, packageName))
  return {
    metrics: Object.assign({}, toMetrics(tried), share, incidents.metrics, ...peers),
    absences: others.absences,
    rows: toRows(tried, names),
    remarks: [...toMistakes(tried), ...toLinelessRuns(tried), ...incidents.mistakes],
  }
}

async function trySubject(server: WorldServer, subject: Subject, others: Others, { quick, folder, note }: Attempt): Promise<TriedRun[]> {
  const isThere = ({ takes }: Mutation): boolean => takes === undefined || versionOf(takes) !== undefined
  const mutations = subject.mutations.filter((mutation, index) => isThere(mutation) && (!quick || index % QUICK.every === 0))
  const scenes = await recordScenes(server, subject, quick ? subject.scenes.slice(0, QUICK.runs) : subject.scenes, folder)
  note(`Trying ${mutations.length} mutations of ${subject.name} in ${scenes.length} worlds.`)
  const nobody: AskOthers = () => Promise.resolve({})
  const mutants = await loadMutants(subject, mutations)
  await checkDeclarations(server, scenes, mutants)
  return tryMutants(subject.name, scenes, mutants, subject.name === 'support' ? others.ask : nobody)
}

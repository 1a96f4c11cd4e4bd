import type { CallSite } from '../../run/call-site.ts'
import { describeDrift } from '../drift.ts'
import { tellNodeEnvs } from '../node-env.ts'
import type { ReportedRun } from './reported-run.ts'
import { drawnNotes } from './drawn-words.ts'
import { standInNotes } from './stand-in-words.ts'

/**
 * What the reader has to know beside the divergence: that values were drawn, what has drifted since the recording, paths of options that match
 * nothing, and values that were compared only as stand-ins or by the order of reads.
 */
export function notesOf({
  divergences,
  drift = [],
  unmatchedPaths = [],
  lateCalls = [],
  standIns = [],
  drawn = [],
  nodeEnvs,
}: ReportedRun): string[] {
  // A divergence that is a drift of the model has said so.
  const told = divergences[0]?.cause === 'model-drift' ? drift.filter(({ kind }) => kind !== 'model') : drift
  const differing = (divergences[0]?.differences ?? []).filter((difference) => difference.drawn === true).map(({ path }) => path)
  return [
    ...(differing.length === 0 ? [] : [tellDrawn(differing)]),
    ...told.map((each) => `Drift: ${describeDrift(each)}`),
    ...lateCalls.map(tellLate),
    ...unmatchedPaths.map((path) => `Note: the path ${path} of ignore or normalize matches nothing in this run.`),
    ...standInNotes(standIns),
    ...drawnNotes(drawn),
    ...(nodeEnvs === undefined ? [] : [tellNodeEnvs(nodeEnvs)]),
  ]
}

function tellLate({ name, site }: { readonly name: string; readonly site?: CallSite }): string {
  const where = site === undefined ? '' : ` (${site.file}:${site.line}:${site.column})`
  return `Warning: the run left a call of ${name} behind${where}. The trace does not say what came after its end: record it again to have such calls compared.`
}

function tellDrawn(paths: readonly string[]): string {
  const places = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  return `Note: ${places} ${paths.length === 1 ? 'was' : 'were'} drawn from clock or chance, which the agent reads in another order, or more or less often, than it did.`
}

import type { CallSite } from '../../run/call-site.ts'
import { describeDrift } from '../drift.ts'
import { tellNodeEnvs } from '../node-env.ts'
import type { ReportedRun } from './reported-run.ts'
import { drawnNotes } from './drawn-words.ts'
import { standInNotes } from './stand-in-words.ts'

/**
 * What the reader has to know besides the divergence: drawn values, drift since the recording, option paths that match nothing, and values
 * that were compared only as stand-ins or by read order.
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
  // A model-drift divergence already reports this.
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
  return `Warning: a call of ${name} outlived the run${where}. The trace does not cover what happened after the run ended: record it again to compare such calls.`
}

function tellDrawn(paths: readonly string[]): string {
  const places = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  return `Note: ${places} ${paths.length === 1 ? 'comes' : 'come'} from the clock or a random source, which the agent now reads in a different order or number.`
}

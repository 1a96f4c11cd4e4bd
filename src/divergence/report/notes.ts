import type { CallSite } from '../../run/call-site.ts'
import type { StandInKind } from '../../redaction/stand-in.ts'
import type { Divergence } from '../divergence.ts'
import type { DrawnKind, DrawnValue } from '../drawn-value.ts'
import { describeDrift } from '../drift.ts'
import { tellNodeEnvs } from '../node-env.ts'
import { tellPlace } from '../run-place.ts'
import type { DifferingStack } from '../stack-frames.ts'
import type { TrustedStandIn } from '../stand-in-places.ts'
import type { Unproven, UnprovenCredential } from '../unproven-credential.ts'
import { tellDivergence } from './cause-words.ts'
import { tellWaiting } from './facts.ts'
import type { OtherReplay, ReportedRun } from './reported-run.ts'

/** The kinds of redacted and of drawn values, in words. */
export const kindWords: Readonly<Record<StandInKind | DrawnKind, string>> = {
  email: 'an e-mail address',
  card: 'a card number',
  phone: 'a phone number',
  secret: 'a secret',
  time: 'a time',
  number: 'a random number',
  id: 'an id',
  bytes: 'random bytes',
}

/** How many values a note names. */
const shown = 5

/**
 * What the reader has to know in addition to the divergence: what the agent is still waiting for, drawn values, drift since the recording, option
 * paths that match nothing, and values that were compared only as stand-ins or by read order.
 */
export function notesOf(run: ReportedRun): string[] {
  const { divergences, drift = [], unmatchedPaths = [], missedHeaders = [], lateCalls = [] } = run
  const { changedFiles = [], standIns = [], credentials = [], drawn = [], stacks = [], nodeEnvs } = run
  // A model-drift divergence already reports this.
  const told = divergences[0]?.cause === 'model-drift' ? drift.filter(({ kind }) => kind !== 'model') : drift
  const differing = (divergences[0]?.differences ?? []).filter((difference) => difference.drawn === true).map(({ path }) => path)
  return [
    ...noteOnWaiting(divergences),
    ...(differing.length === 0 ? [] : [tellDrawn(differing)]),
    ...told.map((each) => `Drift: ${describeDrift(each)}`),
    ...lateCalls.map(tellLate),
    ...unmatchedPaths.map((path) => `Note: the path ${path} of ignore or normalize matches nothing in this run.`),
    ...missedHeaders.map((name) => `Note: the agent read the response header ${name}, which recordings leave out (docs/doors.md).`),
    ...(changedFiles.length === 0 ? [] : [tellChangedFiles(changedFiles)]),
    ...noteOf(standIns, tellStandIns),
    ...tellUnproven(credentials),
    ...noteOf(drawn, tellDrawnValues),
    ...noteOnStacks(stacks),
    ...(nodeEnvs === undefined ? [] : [tellNodeEnvs(nodeEnvs)]),
    ...(run.otherReplay === undefined || isOfTest(run) ? [] : [tellOther(run.otherReplay)]),
  ]
}

/** The agent never ended, which the first divergence does not tell. */
function noteOnWaiting([first, ...others]: readonly Divergence[]): string[] {
  if (first === undefined || tellWaiting(first.received) !== undefined) return []
  const waiting = others.flatMap(({ cause, received }) => (cause === 'outcome' ? (tellWaiting(received) ?? []) : []))
  return waiting.map((told) => `Note: the agent did not end: ${told}.`)
}

/** In another process, there is no test that replaces functions of Node. */
function isOfTest({ overridden = [] }: ReportedRun): boolean {
  return overridden.length > 0
}

/** @note The other replay only looked for lines: the reported one is the verdict. */
function tellOther({ divergence }: OtherReplay): string {
  const what = divergence === undefined ? 'held' : `differed in another place: ${tellDivergence(divergence)}`
  return `Note: another replay, in a process of its own, ${what}. So the agent does not do the same each time, for a reason outside of the run.`
}

function tellLate({ name, site }: { readonly name: string; readonly site?: CallSite }): string {
  const where = site === undefined ? '' : ` (${site.file}:${site.line}:${site.column})`
  return `Warning: a call of ${name} outlived the run${where}. The trace does not cover what happened after the run ended: record it again to compare such calls.`
}

function tellDrawn(paths: readonly string[]): string {
  const places = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  return `Note: ${places} ${paths.length === 1 ? 'comes' : 'come'} from the clock or a random source, which the agent now reads in a different order or number.`
}

/** A note that lists values that were matched without being equal, each once. Empty if there are none. */
function noteOf(matched: readonly (TrustedStandIn | DrawnValue)[], tell: (count: number) => string): string[] {
  const values = [...Map.groupBy(matched, ({ expected, received }) => `${expected} ${received}`).values()]
  if (values.length === 0) return []
  const more = values.length > shown ? [`${values.length - shown} more`] : []
  return [`Note: ${tell(values.length)}: ${[...values.slice(0, shown).flatMap(tellValue), ...more].join('; ')}.`]
}

/** Lists the stacks that differ only in their frames, with the first frame that differs. */
function noteOnStacks(stacks: readonly DifferingStack[]): string[] {
  if (stacks.length === 0) return []
  const what =
    stacks.length === 1
      ? '1 stack differs from the recorded one in its frames'
      : `${stacks.length} stacks differ from the recorded ones in their frames`
  const listed = stacks.slice(0, shown).map(tellStack)
  const more = stacks.length > shown ? [`${stacks.length - shown} more`] : []
  return [`Note: ${what}, which are not compared: ${[...listed, ...more].join('; ')}.`]
}

function tellStack({ place, path, expected, received }: DifferingStack): string {
  const index = Math.max(
    0,
    expected.findIndex((frame, each) => frame !== received[each]),
  )
  return `${path} of ${tellPlace(place)} (${expected[index] ?? 'no frame'} → ${received[index] ?? 'no frame'})`
}

function tellStandIns(count: number): string {
  const what = count === 1 ? '1 value was compared only as a stand-in' : `${count} values were compared only as stand-ins`
  return `${what}, so another value would have passed`
}

/** Names files that the run changed and that were not compared. */
export function tellChangedFiles(files: readonly string[]): string {
  return `Note: the run changed ${listFiles(files)}. Files that are not recorded (files.record) are not compared; the replay changed copies.`
}

/** Lists files, the first ones by name. */
export function listFiles(files: readonly string[]): string {
  const named = files.slice(0, shown)
  return files.length > shown ? `${named.join(', ')} and ${files.length - shown} more files` : named.join(', ')
}

/** One note for each reason why credentials could not be compared. */
export function tellUnproven(credentials: readonly UnprovenCredential[]): string[] {
  return [...Map.groupBy(credentials, ({ why }) => why)].map(([why, some]) => {
    const places = [...Map.groupBy(some, ({ at }) => at)].slice(0, shown).map(([at, each]) => {
      const steps = each.map(({ step }) => step)
      return `${at} of ${steps.length === 1 ? 'step' : 'steps'} ${steps.slice(0, shown).join(', ')}${steps.length > shown ? ', …' : ''}`
    })
    return `Note: ${places.join('; ')}: ${unprovenWords[why]}`
  })
}

const unprovenWords: Readonly<Record<Unproven, string>> = {
  'unknown-origin': 'the credential was not compared, because it is in no environment variable, on one side or on both.',
  'same-value': 'several environment variables have this value here, so one in place of another would have passed. Give each its own text.',
}

function tellDrawnValues(count: number): string {
  const what =
    count === 1
      ? '1 clock or random value differs from the recorded one and was'
      : `${count} clock or random values differ from the recorded ones and were`
  return `${what} matched by read order`
}

function tellValue([first, ...others]: readonly (TrustedStandIn | DrawnValue)[]): string[] {
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'place' : 'places'}`
  return [`${kindWords[first.kind]} at ${first.path} of ${tellPlace(first.place)}${more}`]
}

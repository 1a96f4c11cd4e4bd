import type { Divergence, InputPart } from '../divergence.ts'
import { tellPosition } from '../run-place.ts'
import { isFields } from '../same-value.ts'

/** What diverged and why: `step 4 (unexpected call)`. An outcome or a checkpoint is described without its cause. */
export function describeDivergence(divergence: Divergence): string {
  const { subject, cause } = wordsOf(divergence)
  return `${subject}${cause}`
}

/** The same as a sentence: `step 4 diverged (unexpected call)`. */
export function tellDivergence(divergence: Divergence): string {
  const { subject, cause } = wordsOf(divergence)
  return `${subject} diverged${cause}`
}

/** The names of the two sides of a comparison within a sentence. */
export interface Parties {
  readonly agent: string
  readonly recorded: string
}

const replayed: Parties = { agent: 'the agent', recorded: 'the recorded run' }

/** What happened, in a sentence. */
export function explain(divergence: Divergence, { agent, recorded }: Parties = replayed): string {
  return `${sentenceFor(divergence, agent, recorded)}${processStateOf(divergence)}`.replace(/^[a-z]/, (first) => first.toUpperCase())
}

/** For a time limit: whether the recorded limit no longer fires. */
export function isGivenUp(expected: unknown): boolean {
  return isFields(expected) && 'gaveUp' in expected
}

/** For a time limit that is gone: whether the agent continues without the answer, and leaves the call in progress. */
export function goesOn(received: unknown): boolean {
  return isFields(received) && received.never === 'given up'
}

/** For a divergence in when the run ends: whether it now ends after the call was answered. */
export function endsAfter(received: unknown): boolean {
  return isFields(received) && received.ends === 'after'
}

/** For `order`: the connection whose message should have come before the call. */
export function followed(expected: unknown): string | undefined {
  return isFields(expected) && typeof expected.follows === 'string' ? expected.follows : undefined
}

function sentenceFor(divergence: Divergence, agent: string, recorded: string): string {
  const { parts, differences, expected, received, boundary, isLost } = divergence
  switch (divergence.cause) {
    case 'input':
      if (parts.length === 1 && parts[0] === 'environment') return today
      return `${agent} ${boundary === 'model' ? 'called the model' : 'made this call'} with ${listOf(parts.map((part) => differentParts[part]))}.`
    case 'unexpected-call':
      return `${agent} made a call that ${recorded} did not make.`
    case 'missing-call':
      return `${recorded} made this call, but ${agent} did not${reasonWhyNot(received)}.`
    case 'order':
      return tellOrder(divergence, agent, recorded)
    case 'time-limit':
      if (isGivenUp(expected) && goesOn(received))
        return `${agent} did not give this call up, but ${recorded} did after ${milliseconds(expected, 'gaveUp')}.`
      if (isGivenUp(expected))
        return `${agent} is still waiting for this answer, but ${recorded} gave up after ${milliseconds(expected, 'gaveUp')}.`
      return `${agent} did not wait for this answer: ${describeLimit(received)} a call that took ${milliseconds(expected, 'took')}.`
    case 'outcome':
      if (isPiece(divergence))
        return `${agent} handed out ${divergence.name} ${textOf(received)}, but ${recorded} handed it out ${textOf(expected)}.`
      if (isLeft(received) && isLeft(expected))
        return `${agent} stopped reading this answer ${received.left}, but ${recorded} did ${expected.left}.`
      if (isLeft(received)) return `${agent} stopped reading this answer before its end, but ${recorded} read all of it.`
      if (boundary !== undefined) return `this call's answer differs from the one in ${recorded}.`
      return isNever(received)
        ? `${agent} is waiting for something that never happens, so it does not end.`
        : `${agent} ended differently from ${recorded}.`
    case 'checkpoint':
      if (expected === undefined) return `${agent} reached a checkpoint that ${recorded} did not reach.`
      if (received === undefined) return `${recorded} reached this checkpoint, but ${agent} did not.`
      if (differences[0]?.path === 'place') return tellMovedCheckpoint(divergence, agent, recorded)
      return `${agent} reached this checkpoint with a different state.`
    case 'model-drift':
      return `${agent} called a different model.`
    case 'unrecorded-contact':
      if (isLost === true) return 'Code outside of any run or test tried to reach the outside world during the replay.'
      if (divergence.name?.startsWith('exit ') === true) return `${agent} ended its process, which ${recorded} did not do.`
      if (isNative(divergence))
        return 'Native code reached the outside world during the replay. Its calls are not recorded, so the trace has no answer.'
      return `${agent} contacted the outside world in a way that is not recorded, so the trace has no answer.`
    case 'nondeterminism':
      return 'two replays of the same trace differ.'
  }
}

/** Whether a piece that the run handed out stands at another place among its calls. */
function isPiece({ differences, boundary }: Divergence): boolean {
  return boundary === undefined && differences[0]?.path === 'place'
}

/** What became of the step that the report marks: it came too early or too late, or the run waits for it no longer, or only now. */
function tellOrder({ step, before, expected, received }: Divergence, agent: string, recorded: string): string {
  if (followed(expected) !== undefined)
    return `step ${step} came too early: ${agent} made it before the message of ${followed(expected)} arrived, ${recorded} afterwards.`
  if (endsAfter(received)) return `step ${step} is now awaited: ${agent} ended after it was answered, ${recorded} before.`
  if (received !== undefined) return `step ${step} is no longer awaited: ${agent} ended before it was answered, ${recorded} afterwards.`
  if (before === undefined) return `step ${step} came too late: ${agent} made it at a later place than ${recorded}.`
  const [came, side] = before < step ? ['early', 'after'] : ['late', 'before']
  return `step ${step} came too ${came}: ${recorded} made it ${side} step ${before}, but ${agent} did not.`
}

/** The side that reached a checkpoint earlier did so at the place that the headline names. */
function tellMovedCheckpoint(divergence: Divergence, agent: string, recorded: string): string {
  const [was, is] = [textOf(divergence.expected), textOf(divergence.received)]
  const at = divergence.step === 0 ? '' : `${tellPosition(divergence)}, `
  if (!/\bafter /.test(was)) return `${recorded} reached this checkpoint ${at}${was}; ${agent} reached it ${is}.`
  if (!/\bafter /.test(is)) return `${agent} reached this checkpoint ${at}${is}; ${recorded} reached it ${was}.`
  return `${agent} reached this checkpoint ${is}, but ${recorded} reached it ${was}.`
}

/** Whether native code made a contact. The contact's name says which package did. */
export function isNative({ name }: Pick<Divergence, 'name'>): boolean {
  return name?.startsWith('native ') === true
}

/** Why a call is missing, from the outcome of a run that failed or never ends. */
function reasonWhyNot(outcome: unknown): string {
  if (outcome === undefined) return ''
  if (isAfterWatch(outcome))
    return ` while it was watched, until ${milliseconds(outcome, 'watched')} after its end: a timer of ${milliseconds(outcome, 'timer')} was still running`
  return isNever(outcome) ? ': it is waiting for something that never happens' : ': it failed before'
}

/** An addition to the explanation if the difference is process state. */
export function processStateOf({ processState, heldBefore, keptBefore }: Divergence): string {
  if (keptBefore !== undefined)
    return ` The recorded process had ${keptBefore} from an earlier run: this is process state, which a cache, a cookie jar or a session keeps.`
  if (processState !== undefined)
    return ` Only one of them called ${processState}: this is process state, something that the process keeps from one run to the next.`
  return heldBefore === true
    ? ' This trace held earlier in this process, with the same agent and options, so the difference below is process state: something that the process has kept since. Replay in a fresh process to confirm.'
    : ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The explanation for a date that a replay cannot replace. */
const today =
  'The agent sent the real date, not the recorded one: a module read the clock when it was loaded, before any run. Read the clock inside the run instead.'

/** A limit, and when it ran out if it was not set for this call alone: `a limit of 900 ms ran out 20 ms into`. */
function describeLimit(received: unknown): string {
  const [limit, after] = [milliseconds(received, 'limit'), milliseconds(received, 'after')]
  return limit === after ? `a limit of ${limit} on` : `a limit of ${limit} ran out ${after} into`
}

/** A field of a time limit, as whole milliseconds. */
export function milliseconds(told: unknown, field: string): string {
  return `${isFields(told) ? Math.round(Number(told[field])) : 0} ms`
}

/** Whether the agent stopped reading an answer before its end. */
export function isLeft(outcome: unknown): outcome is { readonly left: string } {
  return isFields(outcome) && typeof outcome.left === 'string'
}

/** For a missing call: whether a timer that may make it was still running when the watch ended. */
export function isAfterWatch(received: unknown): boolean {
  return isFields(received) && 'watched' in received
}

/** Whether the outcome is a run that never ends. */
export function isNever(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'never' in outcome
}

/** The cause and its parts, in words: `input: system prompt`. */
function causeLabel({ cause, parts }: Divergence): string {
  const label = cause.replaceAll('-', ' ')
  return parts.length === 0 || cause !== 'input' ? label : `${label}: ${parts.map((part) => part.replaceAll('-', ' ')).join(', ')}`
}

function wordsOf(divergence: Divergence): { readonly subject: string; readonly cause: string } {
  const isSaid = divergence.cause === 'outcome' || divergence.cause === 'checkpoint'
  const words = [
    ...(isSaid ? [] : [causeLabel(divergence)]),
    ...(divergence.heldBefore === true || divergence.keptBefore !== undefined ? ['process state'] : []),
  ]
  return { subject: subjectOf(divergence), cause: words.length === 0 ? '' : ` (${words.join('; ')})` }
}

/** What diverged, as the subject of a sentence: `step 4`, `the call after step 3`. */
function subjectOf({ cause, step, position, name, boundary }: Divergence): string {
  const after = tellPosition({ step, position: 'after' })
  if (cause === 'outcome') return boundary === undefined ? 'the outcome' : `the outcome of step ${step}`
  if (cause === 'checkpoint') return `checkpoint "${name ?? ''}" ${after}`
  if (cause === 'unrecorded-contact') return `a contact ${after}`
  return position === 'at' ? `step ${step}` : `the call ${after}`
}

const differentParts: Readonly<Record<InputPart, string>> = {
  model: 'a different model',
  'system-prompt': 'a different system prompt',
  messages: 'different messages',
  'tool-schema': 'different tools',
  sampling: 'different sampling settings',
  body: 'a different body',
  args: 'different arguments',
  url: 'a different URL',
  method: 'a different method',
  headers: 'different headers',
  redirect: 'another way to handle redirects',
  credential: 'a different credential',
  environment: 'a different date (the real one)',
}

function listOf(words: readonly string[]): string {
  if (words.length === 0) return 'a different input'
  return words.length === 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

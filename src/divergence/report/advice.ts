import type { Divergence } from '../divergence.ts'
import type { IncidentVerdict } from '../incident-verdict.ts'
import { stepBefore } from '../step-before.ts'
import type { AdviceId } from './advice-ids.ts'
import { isGivenUp, isNative } from './cause-words.ts'
import { mockedAdvice } from './mocked-advice.ts'
import { goldenrunCommand, promoteIncidentAgain, quoteForShell } from './next-commands.ts'
import { allowModelAdvice, declareLiveAdvice, isConfigured, optionAdvice, quoted } from './option-advice.ts'
import { refusalOf } from './rebase-refusal.ts'
import type { Advice } from './report.ts'
import { type ReportedRun, nameOf, quotedName } from './reported-run.ts'
import { telemetryUrlOf } from './telemetry-url.ts'
import { runToolsAdvice, toolStateOf } from './tool-state.ts'
import { isUnchanged } from './tell-since-accepted.ts'
import { unreproducedAdvice } from './unreproduced.ts'

/** Advice in words only. */
export function advise(id: AdviceId, words: string): Advice {
  return { id, words }
}

/** What to do about a divergence. */
export function adviceFor(run: ReportedRun, divergence: Divergence): Advice[] {
  if (run.other !== undefined) {
    const shown = [nameOf(run), run.other].map((name) => goldenrunCommand(run.commands, `show ${quoteForShell(name)}`))
    return [{ id: 'see-both', words: 'To see both in full:', command: shown.join('; ') }]
  }
  if (divergence.heldBefore === true) return processStateAdvice(run)
  if (divergence.keptBefore !== undefined) return keptBeforeAdvice(run, divergence)
  const unreproduced = isConfigured(run) && isUnchanged(run.since) ? unreproducedAdvice(run, divergence) : undefined
  return [...mockedAdvice(run, divergence), ...withToolState(run, divergence, unreproduced)]
}

/** If the agent has not changed, a tool that did not run is the likely reason. If it may have, it is one of several. */
function withToolState(run: ReportedRun, divergence: Divergence, unreproduced: readonly Advice[] | undefined): Advice[] {
  const state = toolStateOf(run, divergence)
  const advice = state === undefined ? [] : [runToolsAdvice(run, state)]
  if (unreproduced !== undefined) return state?.isSeen === true ? [...advice, ...unreproduced] : [...unreproduced, ...advice]
  return [...usualAdvice(run, divergence), ...(state?.isSeen === true ? advice : [])]
}

function usualAdvice(run: ReportedRun, divergence: Divergence): Advice[] {
  const recordAgain = (words: string): Advice[] => recordAgainAdvice(run, words)
  switch (divergence.cause) {
    case 'input':
      return [...acceptAdvice(run, divergence), ...ignoreAdvice(run, divergence)]
    case 'outcome':
    case 'checkpoint':
      return acceptAdvice(run, divergence)
    case 'unexpected-call':
      return [...muteAdvice(run, divergence), answerAdvice(run, divergence), ...recordAgain('Or, if the agent is right to make it,')]
    case 'missing-call':
      return [...muteAdvice(run, divergence), ...(refusedAdvice(run) ?? recordAgain('If the agent no longer has to make it,'))]
    case 'order':
      return recordAgain('If the new order is right,')
    case 'time-limit':
      if (isGivenUp(divergence.expected)) return recordAgain("Restore the call's limit. Or, if the agent is right to wait,")
      return recordAgain('Give the call more time. Or, if the agent is right to give up,')
    case 'model-drift':
      return [allowModelAdvice(run, divergence), ...recordAgain('Or, if its answers matter,')]
    case 'unrecorded-contact':
      if (divergence.isLost === true) return lostAdvice(divergence)
      if (divergence.name?.startsWith('exit ') === true)
        return [advise('return-instead-of-exit', 'Let the agent return, and end the process in the program that calls it.')]
      if (isNative(divergence)) return nativeAdvice(divergence)
      return [
        divergence.name?.startsWith('database ') === true
          ? advise(
              'wrap-database',
              "If it is part of the run, make its calls steps, wrapClient('name', database), and record the run again.",
            )
          : advise('wrap-contact', "If it is part of the run, make it a step, external('name', fn), and record the run again."),
        declareLiveAdvice,
      ]
    case 'nondeterminism':
      return nondeterminismAdvice(run, divergence)
  }
}

/** How to accept a change into the golden. A later divergence of the run may be the one that cannot be accepted. */
function acceptAdvice(run: ReportedRun, { cause }: Divergence): Advice[] {
  const { rebase } = run.commands ?? {}
  const words = `To accept the new ${cause}`
  const refusals = run.divergences.flatMap((divergence) => refusalOf(run, divergence) ?? [])
  if (rebase !== undefined && refusals.length === 0) return [{ id: 'accept', words: `${words}:`, command: rebase }]
  const unfit = refusals.find(({ isUnfit }) => isUnfit === true)
  const why = unfit === undefined ? '' : `Accepting it ${unfit.reason}. `
  return refusedAdvice(run) ?? recordAgainAdvice(run, `${why}${words},`)
}

/** What to do if the golden can neither accept the run nor be recorded again. Undefined if it can. */
function refusedAdvice(run: ReportedRun): Advice[] | undefined {
  const instead = run.divergences.map((divergence) => refusalOf(run, divergence)?.instead).find((advice) => advice !== undefined)
  return instead && [instead]
}

/** Wrapping the contact would not help: it would still be outside of the run. */
function lostAdvice({ name = '' }: Divergence): Advice[] {
  const host = name.slice(name.lastIndexOf(' ') + 1)
  return [
    advise(
      'wrap-lost-contact',
      "The code that runs there was created before the run. If the run needs something from it, wrap that call: external('name', fn).",
    ),
    advise('create-inside', 'If it belongs to the run, create it inside the run, not when the module loads or in an earlier context.'),
    advise(
      'allow-lost-contact',
      `If it has nothing to do with the run: replay(…, { live: [${quoted(host)}] }), or { guard: 'run' } to guard runs only.`,
    ),
  ]
}

/** A step is not run in a replay. What the process has open beside the run cannot be told from what the run opens. */
function nativeAdvice({ name = '' }: Divergence): Advice[] {
  const what = /\((.*)\)$/.exec(name)?.[1]
  const instead =
    what === undefined
      ? 'load the package only where it is needed.'
      : `allow it: replay(…, { live: [${quoted(what)}] }), or live in goldenrun.config.ts`
  return [
    advise(
      'wrap-native',
      "If it is part of the run, make the call into the package a step, external('name', fn), and record the run again.",
    ),
    advise('allow-native', `If it has nothing to do with the run, ${instead}`),
  ]
}

/** How to give a golden new answers: from a live run, or from an existing recording. */
function recordAgainAdvice({ trace: { header }, commands = { exec: 'npx' } }: ReportedRun, words: string): Advice[] {
  const { record, promote } = commands
  if (record === undefined && promote !== undefined)
    return [{ id: 'promote-newer', words: `${words} promote the newer recording of this agent with the same input:`, command: promote }]
  if (record === undefined)
    return [advise('record-again', `${words} record the run again${header.golden === undefined ? '' : ' and promote it'}.`)]
  return [
    { id: 'record-again', words: `${words} record the run again:`, command: record },
    ...(promote === undefined
      ? []
      : [{ id: 'promote-newer' as const, words: 'Or promote the newer recording of this agent with the same input:', command: promote }]),
  ]
}

/** Recording again would not help: the recording would contain what this process has kept. */
function processStateAdvice(run: ReportedRun): Advice[] {
  const command = goldenrunCommand(run.commands, `replay ${quoteForShell(nameOf(run))}`)
  return [
    { id: 'replay-fresh', words: 'To see whether it holds in a fresh process:', command },
    advise(
      'keep-once',
      'If it does, create what the module keeps (a memory, a cache, a counter) once per run: inside the agent, or in its context.',
    ),
  ]
}

/** A replay starts with nothing kept. */
function keptBeforeAdvice(run: ReportedRun, { name = '' }: Divergence): Advice[] {
  const place = 'Create what keeps it (a cache, a cookie jar, a session) once per run: inside the agent, or in its context.'
  return [
    advise('keep-once-and-record', place),
    ...recordAgainAdvice(run, 'Then'),
    advise('ambient-if-shared', `Or, if the process makes this call for many runs: ambient: [${quoted(name)}]`),
  ]
}

/** How to leave headers out, if nothing else differs. */
function ignoreAdvice(run: ReportedRun, { parts, differences }: Divergence): Advice[] {
  if (parts.length !== 1 || parts[0] !== 'headers') return []
  const names = differences.flatMap(({ path }) => /^headers(?:\.([\w]+)|\["([^"]+)"\])/.exec(path)?.slice(1).filter(Boolean) ?? [])
  const option = `headers: { ignore: [${names.map(quoted).join(', ')}] }`
  const words = 'Or, if it says nothing about the request, leave it out'
  return [optionAdvice(run, { id: 'ignore-headers', words, option, of: 'config' })]
}

/** Advice for divergences that may come from a race. */
export function raceAdvice({ racedOwnWork }: ReportedRun, { cause }: Divergence): Advice[] {
  if (racedOwnWork !== true || !['order', 'outcome', 'checkpoint', 'input'].includes(cause)) return []
  return [
    advise(
      'own-work-races',
      "The agent's own I/O (a file, compression, a key) was in progress when recorded answers arrived, so their order is not guaranteed.",
    ),
    advise('own-work-as-step', "If the order affects the agent, make the work a step, external('name', fn), and record the run again."),
  ]
}

/** How to debug the agent where it diverges. Empty if it makes no call before. */
export function debugAdvice(run: ReportedRun, divergence: Divergence | undefined, incident: IncidentVerdict | undefined): Advice[] {
  const debug = run.commands?.debug
  if (debug === undefined || incident?.word === 'held') return []
  const at = incident?.word === 'repeated' ? incident.at : debuggedStep(run, divergence)
  if (at === 'none') return []
  return [{ id: 'debug', words: 'To stop there in a debugger:', command: `${debug}${at === 'own' ? '' : ` --at ${at}`}` }]
}

/** The step to stop at; `own` if the command finds the place itself, because the trace has no step there; `none` if there is no place to stop. */
function debuggedStep({ steps }: ReportedRun, divergence: Divergence | undefined): number | 'own' | 'none' {
  if (divergence === undefined || divergence.cause === 'unexpected-call' || divergence.cause === 'unrecorded-contact') return 'own'
  return (
    stepBefore(
      divergence,
      steps.map(({ step }) => step),
    ) ?? 'none'
  )
}

/** How to leave out telemetry, which is sent whenever its client likes. */
function muteAdvice(run: ReportedRun, divergence: Divergence): Advice[] {
  const url = telemetryUrlOf(divergence)
  if (url === undefined) return []
  const option = `mute: [${quoted(url)}]`
  return [optionAdvice(run, { id: 'mute-telemetry', words: 'If it is telemetry, leave it out', option, of: 'config' })]
}

/** How to answer a call that the trace does not have. The config has no answers. */
function answerAdvice(run: ReportedRun, { name = 'name' }: Divergence): Advice {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
  const words = isConfigured(run) ? 'To give it an answer, in a test of your own:' : 'To give it an answer:'
  return { id: 'answer-call', words, command: `replay(${quotedName(run)}, agent, { answers: { ${key}: … } })` }
}

/** How to answer a call that an incident golden has no answer for. If the fix is in the prompt, only a model can tell. */
export function answerInGolden({ trace: { header }, commands }: ReportedRun, { boundary, name = 'name' }: Divergence): Advice[] {
  const expected = header.golden?.expect
  const known = Object.keys((expected?.replay === 'departs' && expected.answers) || {})
  const beside = known.length === 0 ? '' : `, next to those of the golden (${known.map(quoted).join(', ')})`
  const command = goldenrunCommand(commands, promoteIncidentAgain(header, ['--answers', 'answers.json']))
  return [
    {
      id: 'answer-in-golden',
      words: `Write an answer for ${quoted(name)} to the file answers.json${beside}, and add it to the golden:`,
      command,
    },
    ...(boundary === 'model'
      ? [
          advise(
            'prompt-needs-model',
            'If the fix is in the prompt, no recorded answer can tell whether it works: the golden stays red until the model itself is called.',
          ),
        ]
      : []),
  ]
}

/** A call that only one of two replays made is process state, which can be declared as ambient. */
function nondeterminismAdvice(run: ReportedRun, divergence: Divergence): Advice[] {
  const { processState: name } = divergence
  if (name === undefined)
    return [
      {
        id: 'see-recorded-run',
        words: 'To see the recorded run:',
        command: goldenrunCommand(run.commands, `show ${quoteForShell(nameOf(run))}`),
      },
    ]
  const command = `replay(${quotedName(run)}, agent, { ambient: [${quoted(name)}] })`
  return [{ id: 'declare-ambient', words: 'If the process makes it once for many runs, declare it:', command }]
}

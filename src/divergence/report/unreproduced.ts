import type { Divergence } from '../divergence.ts'
import { tellPosition } from '../run-place.ts'
import { allowModelAdvice, declareLiveAdvice, optionAdvice, quoted } from './option-advice.ts'
import type { Advice } from './report.ts'
import type { ReportedRun } from './reported-run.ts'
import { listed } from './tell-since-accepted.ts'

/** The section about what such a replay lacks. */
const SECTION = 'docs/limits.md#values-that-goldenrun-does-not-see'

/** How many places are named. */
const named = 3

/**
 * What to do if nothing of the agent has changed and its replay differs: goldenrun did not give the run something that the recorded run had. Recording
 * again would end in the same divergence. Undefined for a divergence that names what it was.
 */
export function unreproducedAdvice(run: ReportedRun, divergence: Divergence): Advice[] | undefined {
  switch (divergence.cause) {
    case 'input':
    case 'outcome':
    case 'checkpoint':
      return [
        ...notComparedAdvice(run),
        {
          id: 'not-reproduced',
          words: `goldenrun could not reproduce ${placesOf(divergence)}: it comes from something that no recording has (${SECTION}).`,
        },
        ...leaveOutAdvice(run, divergence),
        {
          id: 'source-as-step',
          words: "If it has to be the same, make its source a step, external('name', fn), and record the run again.",
        },
      ]
    case 'unexpected-call':
    case 'missing-call':
    case 'order':
    case 'time-limit':
      return decisionAdvice('decides about this call')
    case 'model-drift':
      return [...decisionAdvice('chooses the model'), allowModelAdvice(run, divergence)]
    case 'unrecorded-contact': {
      if (divergence.isLost === true) return undefined
      const advice = decisionAdvice('decides about this contact')
      return divergence.name?.startsWith('exit ') === true ? advice : [...advice, declareLiveAdvice]
    }
    case 'nondeterminism':
      return undefined
  }
}

/** What decides is in no recording. A new recording, or a step around what was decided, would not have it either. */
function decisionAdvice(what: string): Advice[] {
  return [
    {
      id: 'not-reproduced-decision',
      words: `goldenrun could not reproduce what ${what}: it comes from something that no recording has (${SECTION}).`,
    },
    { id: 'decision-as-step', words: "Make what decides it a step, external('name', fn), and record the run again." },
  ]
}

/** A file that the agent reads may have changed without anybody knowing. */
function notComparedAdvice({ since }: ReportedRun): Advice[] {
  const files = since?.notCompared ?? []
  return files.length === 0
    ? []
    : [
        {
          id: 'check-not-compared',
          words: `First check whether ${listed(files)} changed: the agent reads ${files.length === 1 ? 'it' : 'them'}, and goldenrun does not compare ${files.length === 1 ? 'it' : 'them'}.`,
        },
      ]
}

function placesOf(divergence: Divergence): string {
  const paths = pathsOf(divergence)
  const shown = paths.slice(0, named).join(', ')
  const more = paths.length > named ? ` and ${paths.length - named} more` : ''
  if (divergence.cause === 'outcome') return shown === '' ? 'what the agent returned' : `${shown}${more} of what the agent returned`
  return shown === '' ? `what it sent at ${tellPosition(divergence)}` : `${shown}${more} of ${tellPosition(divergence)}`
}

function pathsOf({ differences }: Divergence): string[] {
  return differences.flatMap(({ path }) => (path === '' ? [] : [path]))
}

/** Inputs have paths that can be left out; a model's name cannot. */
function leaveOutAdvice(run: ReportedRun, divergence: Divergence): Advice[] {
  const paths = pathsOf(divergence).filter((path) => path !== 'model')
  if (divergence.cause !== 'input' || paths.length === 0) return []
  const option = `ignore: [${paths.map(quoted).join(', ')}]`
  return [optionAdvice(run, { id: 'leave-out', words: 'If it may differ, leave it out', option, of: 'replay' })]
}

import { dateForms } from '../dates.ts'
import type { Divergence } from '../divergence.ts'
import { explain, processStateOf } from './cause-words.ts'
import { tellConcurrency } from './concurrency.ts'
import { type ReportedRun, nameOf } from './reported-run.ts'
import { tellKeys, tellOtherOrder } from './same-values.ts'
import { skippedStep, tellSkipped } from './skipped-step.ts'

/** What happened, in a sentence, in terms of the whole run if that is clearer than a comparison of two calls. */
export function explainRun(run: ReportedRun, divergence: Divergence): string {
  if (run.other !== undefined) return explain(divergence, { agent: `"${run.other}"`, recorded: `"${nameOf(run)}"` })
  const told = tellOfRun(run, divergence)
  return told === undefined
    ? `${explain(divergence)}${tellKeys(run, divergence)}`
    : `${told.replace(/^./, (first) => first.toUpperCase())}${processStateOf(divergence)}`
}

function tellOfRun(run: ReportedRun, divergence: Divergence): string | undefined {
  switch (divergence.cause) {
    case 'order':
      return tellConcurrency(run, divergence)
    case 'input':
    case 'missing-call':
    case 'unexpected-call': {
      const skipped = skippedStep(run, divergence)
      return skipped === undefined ? (tellDateForms(divergence) ?? tellOtherOrder(run, divergence)) : tellSkipped(skipped)
    }
    default:
      return undefined
  }
}

function tellDateForms({ differences }: Divergence): string | undefined {
  const forms = differences.map(({ expected, received }) => dateForms(expected, received))
  const [first] = forms.flat()
  if (first === undefined || forms.some(({ length }) => length === 0)) return undefined
  return `the agent wrote the same date in a different format: \`${first.expected}\` became \`${first.received}\`.`
}

import type { Divergence } from '../divergence.ts'
import { printValue } from '../print-value.ts'
import type { Layout } from './layout.ts'
import { quotedName, type ReportedRun } from './reported-run.ts'

/** What to do about a divergence, one line each. */
export function adviceFor(run: ReportedRun, divergence: Divergence, layout: Layout): string[] {
  const { golden, id } = run.trace.header
  const advise = (words: string, command: string): string[] => withCommand(words, command, layout)
  const recordAgain = (words: string): string[] =>
    golden === undefined
      ? [`${words} record the run again.`]
      : advise(`${words} record the run again and promote it:`, `npx goldenrun promote latest --name ${golden.name} --force`)
  switch (divergence.cause) {
    case 'input':
    case 'outcome':
    case 'checkpoint':
      return recordAgain(`To accept the new ${divergence.cause},`)
    case 'unexpected-call':
      return [...answerAdvice(run, divergence, layout), ...recordAgain('Or, if the agent is right to make it,')]
    case 'missing-call':
      return recordAgain('If the agent is right not to make it any more,')
    case 'order':
      return recordAgain('If the new order is right,')
    case 'model-drift': {
      const drift = divergence.differences.find(({ part }) => part === 'model')
      const [from, to] = [quoted(drift?.expected ?? divergence.expected), quoted(drift?.received ?? divergence.received)]
      return advise('To allow the new model:', `replay(${quotedName(run)}, agent, { allowModelDrift: [{ from: ${from}, to: ${to} }] })`)
    }
    case 'unrecorded-contact':
      return [
        "If it is part of the run, make it a step, external('name', fn), and record the run again.",
        "If it may stay live, say so at the call: live('reason', fn)",
      ]
    case 'nondeterminism':
      return advise('To see the recorded run:', `npx goldenrun show ${golden?.name ?? id}`)
  }
}

/** What may be the reason where the order decides. */
export function raceAdvice({ racedOwnWork }: ReportedRun, { cause }: Divergence): string[] {
  if (!racedOwnWork || !['order', 'outcome', 'checkpoint', 'input'].includes(cause)) return []
  return [
    "The agent's own I/O (a file, compression, a key) was under way while recorded answers came. Which of them comes first cannot be promised:",
    "where it decides what the agent does, make the work a step, external('name', fn), and record the run again.",
  ]
}

/** How a call that the trace does not have can be answered. */
export function answerAdvice(run: ReportedRun, { name = 'name' }: Divergence, layout: Layout): string[] {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
  return withCommand('To give it an answer:', `replay(${quotedName(run)}, agent, { answers: { ${key}: … } })`, layout)
}

/** How answers can be kept in the golden of an incident. */
export function keepAdvice({ trace: { header } }: ReportedRun, at: number, layout: Layout): string[] {
  const { golden, id } = header
  const command = `npx goldenrun promote ${golden?.promotedFrom ?? id} --name ${golden?.name ?? 'name'} --incident ${at} --answers answers.json --force`
  return withCommand('To keep answers in the golden:', command, layout)
}

/** A line that is to be copied stands whole: on a line of its own where both do not fit on one. */
function withCommand(words: string, command: string, { width }: Layout): string[] {
  const line = `${words} ${command}`
  return line.length <= width ? [line] : [words, `  ${command}`]
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : printValue(value)
}

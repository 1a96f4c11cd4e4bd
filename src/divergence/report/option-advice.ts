import type { Divergence } from '../divergence.ts'
import { printValue } from '../print-value.ts'
import type { AdviceId } from './advice-ids.ts'
import type { Advice } from './report.ts'
import { type ReportedRun, quotedName } from './reported-run.ts'

/** An advice to set an option of the replay. */
export interface OptionAdvice {
  readonly id: AdviceId
  /** Without a colon. */
  readonly words: string
  /** `ignore: ['args.at']` */
  readonly option: string
  /** Whether `goldenrun.config.ts` has the option in its field `replay`, rather than by itself. */
  readonly of: 'replay' | 'config'
}

/** How to set an option where the reader sets it: in the config, or in the code that calls `replay`. */
export function optionAdvice(run: ReportedRun, { id, words, option, of }: OptionAdvice): Advice {
  if (isConfigured(run))
    return { id, words: `${words}, in goldenrun.config.ts:`, command: of === 'replay' ? `replay: { ${option} }` : option }
  return { id, words: `${words}:`, command: `replay(${quotedName(run)}, agent, { ${option} })` }
}

/** How to allow the model that the agent called. */
export function allowModelAdvice(run: ReportedRun, { differences, expected, received }: Divergence): Advice {
  const drift = differences.find(({ part }) => part === 'model')
  const [from, to] = [quoted(drift?.expected ?? expected), quoted(drift?.received ?? received)]
  const option = `allowModelDrift: [{ from: ${from}, to: ${to} }]`
  return optionAdvice(run, { id: 'allow-model', words: 'To allow the new model', option, of: 'replay' })
}

/** How to let a contact reach the world. */
export const declareLiveAdvice: Advice = {
  id: 'declare-live',
  words: "If it may stay live, declare it at the call: live('reason', fn)",
}

/** Whether the config has the replay's options, because no code of the reader called `replay`. */
export function isConfigured({ commands }: ReportedRun): boolean {
  return commands?.optionsIn === 'config'
}

/** A value as code. */
export function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'` : printValue(value)
}

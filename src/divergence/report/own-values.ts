import type { StandInKind } from '../../redaction/stand-in.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import { goldenrunCommand, quoteForShell } from './next-commands.ts'
import { optionAdvice, quoted } from './option-advice.ts'
import type { Advice } from './report.ts'
import { type ReportedRun, nameOf } from './reported-run.ts'
import { kindWords } from './notes.ts'

/** A place where the agent's code passed its own value, but the trace has a stand-in for a value that the run was given. */
interface OwnValue {
  readonly path: string
  readonly kind: StandInKind
}

/** The places of a divergence where the code's own values replace given ones. Empty if anything else differs. */
export function ownValuesOf({ other }: ReportedRun, { cause, differences }: Divergence): OwnValue[] {
  if (other !== undefined || !['input', 'checkpoint', 'outcome'].includes(cause) || differences.length === 0) return []
  const found = differences.map(ownValueOf)
  return found.every((value) => value !== undefined) ? found : []
}

/** What happened, in a sentence. */
export function explainOwnValues([first]: readonly OwnValue[]): string {
  const { path = '', kind = 'secret' } = first ?? {}
  const what = kindWords[kind]
  return (
    `The agent's code passed ${what} of its own to ${path}, where the trace has ${what} that the run was given. ` +
    'Both are redacted, so it is unknown whether they are the same.'
  )
}

/** What to do if it is the same value. */
export function ownValueAdvice(run: ReportedRun, values: readonly OwnValue[]): Advice[] {
  const { golden, id } = run.trace.header
  const kept = values.filter(({ kind }) => kind !== 'secret')
  const flags = kept.map(({ path }) => ` --keep-constant ${quoteForShell(path)}`).join('')
  const name = golden === undefined ? 'name' : quoteForShell(nameOf(run))
  const promote = goldenrunCommand(run.commands, `promote ${quoteForShell(golden?.promotedFrom ?? id)} --name ${name}${flags} --force`)
  return [
    ...(kept.length === 0
      ? []
      : [
          {
            id: 'keep-constant' as const,
            words: 'If they are the same and the value is in the source, keep it as a constant:',
            command: promote,
          },
        ]),
    optionAdvice(run, {
      id: 'ignore-own-value',
      words: 'To leave this path out of the comparison',
      option: `ignore: [${values.map(({ path }) => quoted(path)).join(', ')}]`,
      of: 'replay',
    }),
  ]
}

function ownValueOf({ path, standIns = [] }: FieldDifference): OwnValue | undefined {
  const [first] = standIns
  return first === undefined || !standIns.every(({ isOwn }) => isOwn) ? undefined : { path, kind: first.kind }
}

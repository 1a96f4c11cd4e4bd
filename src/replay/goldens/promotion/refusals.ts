import { ownCommand } from '../../../stores/package-manager.ts'
import type { NoteRow } from '../../../trace/rows.ts'
import type { Trace } from '../../../trace/trace.ts'
import { isUnwritten } from '../../../trace/unkept-value.ts'
import { PromoteError } from './promote-error.ts'

/** Refusals that the user may override. */
export interface Allowances {
  /** Promote a run that did not end, because its process died or is still running. No outcome is then expected. Default: refuse. */
  readonly allowUnfinished?: boolean
  /** Promote a run that made unrecorded contacts, which a replay refuses. Default: refuse. */
  readonly allowUnrecordedContacts?: boolean
}

/** How many items of a kind a message lists. */
const SHOWN = 5

/** @throws PromoteError if a replay of the trace would lack something it needs. */
export function refuseIncomplete(trace: Trace, { allowUnfinished = false, allowUnrecordedContacts = false }: Allowances): void {
  const { id, agent, input, wholeProcess } = trace.header
  if (wholeProcess === true) {
    throw new PromoteError('GOLDENRUN_PROMOTE_WHOLE_PROCESS', {
      trace: id,
      problem: 'it is the recording of a whole process (goldenrun record --whole-process), and a replay runs an agent, not a process.',
      advice:
        `Wrap the call of your agent in the program, recorder.run({ agent: ${JSON.stringify(agent)}, input }, agent), and record it again: ` +
        `${ownCommand('record -- node <program>')}. Then promote that run.`,
    })
  }
  if (isUnwritten(input)) {
    throw new PromoteError('GOLDENRUN_PROMOTE_UNKEPT_VALUE', {
      trace: id,
      problem: 'its input is not known: the process died, or the disk was full, before the input was written.',
      advice: 'Promote a run that ended.',
    })
  }
  if (trace.end === undefined && !allowUnfinished) {
    throw new PromoteError('GOLDENRUN_PROMOTE_UNFINISHED', {
      trace: id,
      problem: `it did not end: ${describeEnd(trace)}`,
      advice: 'Promote a run that ended, or promote this one without an expected outcome: --allow-unfinished, { allowUnfinished: true }.',
    })
  }
  const unkept = placesOf(trace, 'unkept-value')
  if (unkept.length > 0) {
    throw new PromoteError('GOLDENRUN_PROMOTE_UNKEPT_VALUE', {
      trace: id,
      problem: `it lacks ${unkept.length === 1 ? 'a value' : `${unkept.length} values`} that could not be recorded: ${list(unkept)}.`,
      advice: 'Pass and return plain data there, or pass it to the agent as context, and record the run again.',
    })
  }
  const contacts = placesOf(trace, 'unrecorded-contact')
  if (contacts.length > 0 && !allowUnrecordedContacts) {
    throw new PromoteError('GOLDENRUN_PROMOTE_UNRECORDED_CONTACT', {
      trace: id,
      problem: `the run made unrecorded contacts: ${list(contacts)}.`,
      advice:
        'Wrap these calls with external() and record the run again, or promote it anyway: --allow-unrecorded-contacts, { allowUnrecordedContacts: true }.',
    })
  }
}

function describeEnd({ steps, rows }: Trace): string {
  const open = steps.filter(({ settledAt }) => settledAt === undefined).map(({ step, name }) => `step ${step} (${name})`)
  const torn = rows.some((row) => row.kind === 'note' && row.what === 'torn-tail') ? ' Its last line is torn.' : ''
  const inFlight = open.length === 0 ? '' : ` In flight: ${list(open)}.`
  return `the process died, or the run is still going.${inFlight}${torn}`
}

function placesOf({ rows }: Trace, what: string): string[] {
  const notes = rows.filter((row): row is NoteRow => row.kind === 'note' && row.what === what)
  return [...new Set(notes.map(({ where }) => where))]
}

function list(items: readonly string[]): string {
  const more = items.length - SHOWN
  return more > 0 ? `${items.slice(0, SHOWN).join(', ')} and ${more} more` : items.join(', ')
}

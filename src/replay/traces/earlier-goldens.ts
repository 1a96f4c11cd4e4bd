import { ownCommand } from '../../stores/package-manager.ts'
import { displayPath } from '../../node/display-path.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Trace } from '../../trace/trace.ts'
import { goldensBeside } from './golden-files.ts'
import { readTrace } from './read-trace.ts'

/**
 * The goldens that a golden follows, the first of its conversation first; none for any other trace.
 *
 * @throws GoldenrunError `GOLDENRUN_CONVERSATION` if one of them does not exist, follows itself, belongs to a different agent, or is an
 * incident golden.
 */
export async function readEarlier(trace: Trace): Promise<Trace[]> {
  const { golden } = trace.header
  if (golden?.follows === undefined) return []
  const goldens = goldensBeside(trace)
  const names = await goldens.list()
  const earlier: Trace[] = []
  const chain = [golden.name]
  let wanted: string | undefined = golden.follows
  while (wanted !== undefined) {
    const follower = chain.at(-1) ?? ''
    if (chain.includes(wanted)) throw refusal(golden.name, `it would follow itself: ${[...chain, wanted].join(' follows ')}`)
    if (!names.includes(wanted))
      throw refusal(golden.name, `${follower} follows ${wanted}, which is not in ${displayPath(goldens.directory)}`)
    const before: Trace = await readTrace(goldens.fileOf(wanted))
    checkEarlier(golden.name, wanted, before, trace)
    chain.push(wanted)
    earlier.unshift(before)
    wanted = before.header.golden?.follows
  }
  return earlier
}

/** @throws GoldenrunError `GOLDENRUN_CONVERSATION` if a golden cannot follow another one. */
function checkEarlier(name: string, earlierName: string, earlier: Pick<Trace, 'header'>, { header }: Pick<Trace, 'header'>): void {
  if (earlier.header.golden?.expect.replay === 'departs')
    throw refusal(name, `it follows ${earlierName}, which is the golden of an incident: only the last run of a conversation can be one`)
  if (earlier.header.agent !== header.agent) {
    const agents = `it is a run of the agent "${header.agent}", and follows ${earlierName}, a run of "${earlier.header.agent}"`
    throw refusal(name, `${agents}: all runs of a conversation have to belong to one agent`)
  }
}

function refusal(name: string, problem: string): GoldenrunError {
  const again = ownCommand('promote <run> <run> --name <name> --force')
  return new GoldenrunError(
    'GOLDENRUN_CONVERSATION',
    `"${name}" cannot be replayed after its earlier runs: ${problem}. Restore that golden, or promote the runs of the conversation again, in their order: ${again}`,
  )
}

import { FIX, type Edit } from '../support-agent/fix.ts'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from '../support-agent/scripts.ts'
import { startSupportWorld } from '../support-agent/start-world.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'

/** A change of the prompt that nobody would think twice about. */
const PROMPT_CHANGE: Edit = {
  file: 'prompt.ts',
  from: 'Answer in two or three friendly sentences, without headings or lists.',
  to: 'Answer in two or three formal sentences, without headings or lists.',
}

/** What a command has to come to for the story to go on. */
interface Expected {
  /** The exit status. Default: 0. */
  readonly status?: number
  /** What its output has to say. */
  readonly shows: readonly string[]
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Tells the whole story in a project: an incident in production, its recording, the red test, the fix, and an ordinary golden that notices
 * one changed word.
 *
 * @throws Error when an act does not come out as told.
 */
export async function tellStory(project: Project, narrator: Narrator): Promise<void> {
  const run = (lines: readonly string[], expected: Expected): Promise<string> => runAsTold(project, narrator, lines, expected)

  narrator.act('Production. Two customers write to a support agent; goldenrun records both runs as they happen.')
  await recordRuns(run, narrator)

  narrator.act('From here on no server is running. The recorder has flagged the run that repeats a side effect.')
  const list = await run(['npx goldenrun list'], { shows: ['refund_order: step 7 repeats step 5'] })

  narrator.act('The incident becomes a golden trace: a test that holds once the agent no longer does what went wrong.')
  narrator.say('Calls that the fixed agent will make, and the recorded one did not, are answered from a file:')
  narrator.file('answers.json', await project.read('answers.json'))
  await run(
    [
      'npx goldenrun promote latest --incident --name refund-twice --yes',
      '--describe "The refund timed out after it was booked, so the agent booked another"',
      '--expect "The customer is refunded once" --answers answers.json',
    ],
    { shows: ['the agent, after step 5, does not make step 7 again', 'Wrote golden-traces/refund-twice.jsonl.'] },
  )
  narrator.say('To look at it in a browser:')
  await run(['npx goldenrun view refund-twice'], { shows: ['Wrote .goldenrun/pages/refund-twice.html'] })

  narrator.act('The test is red: the agent still books the second refund.')
  narrator.file('test/refund-twice.test.ts', await project.read('test/refund-twice.test.ts'))
  await run(['npx vitest run refund-twice'], { status: 1, shows: ['Failed to hold "refund-twice"', 'Step 7 makes refund_order'] })

  narrator.act('The retry gets its check, and the same golden is green.')
  await editAgent(project, narrator, FIX)
  await run(['npx vitest run refund-twice'], { shows: ['1 passed'] })

  narrator.act('An ordinary run becomes a golden trace too: it holds while the agent does the same again.')
  await run([`npx goldenrun promote ${unflaggedRun(list)} --name cancel-unshipped --yes`], {
    shows: ['Wrote golden-traces/cancel-unshipped.jsonl.'],
  })
  await run(['npx vitest run cancel-unshipped'], { shows: ['1 passed'] })

  narrator.act('One word of the prompt changes, and the test is red: it names step, cause and line.')
  await editAgent(project, narrator, PROMPT_CHANGE)
  await run(['npx vitest run cancel-unshipped'], {
    status: 1,
    shows: ['Failed to replay "cancel-unshipped": step 1 diverged', 'input: system prompt', 'src/agent.ts:'],
  })
}

type Run = (lines: readonly string[], expected: Expected) => Promise<string>

/** Records a run that goes well and the incident, in that order, so that the incident is the latest. */
async function recordRuns(run: Run, narrator: Narrator): Promise<void> {
  const world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' } })
  try {
    for (const { ticket, turns } of [CANCEL_UNSHIPPED, REFUND_LOST_ORDER]) {
      await run([`node src/answer-ticket.ts "${ticket}"`], { shows: [turns.at(-1)?.text ?? ''], env: world.env })
    }
    const booked = world.payments.ledger.summary('ord_1001')
    if (booked !== '2 refunds booked for ord_1001') throw new Error(`The incident did not happen: the ledger has ${booked}.`)
    narrator.say(`The call that booked the refund timed out, so the agent tried again. The ledger has ${booked}.`)
  } finally {
    await world.close()
  }
  for (const url of [world.env.OPENAI_BASE_URL, world.env.PAYMENTS_URL]) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) throw new Error(`${url} still answers, so what follows would prove nothing.`)
  }
}

async function editAgent(project: Project, narrator: Narrator, edit: Edit): Promise<void> {
  const path = `src/${edit.file}`
  await project.edit(path, edit)
  narrator.edit(path, edit)
}

/** The id of the run that `goldenrun list` shows without a flag. */
function unflaggedRun(list: string): string {
  const line = list.split('\n').find((candidate) => /^ *\d{8}-/.test(candidate) && !candidate.includes('repeats'))
  return line?.trim().split(' ')[0] ?? ''
}

async function runAsTold(project: Project, narrator: Narrator, lines: readonly string[], expected: Expected): Promise<string> {
  const { status: wanted = 0, shows, env } = expected
  narrator.command(lines)
  const { status, output } = await project.run(lines.join(' '), env)
  const missing = shows.filter((text) => !output.includes(text))
  if (status === wanted && missing.length === 0) return output
  const problems = [
    ...(status === wanted ? [] : [`it ended with status ${String(status)} and not ${wanted}`]),
    ...missing.map((text) => `it does not say ${JSON.stringify(text)}`),
  ]
  throw new Error(`$ ${lines.join(' ')}: ${problems.join(', ')}. All that it printed:\n${output}`)
}

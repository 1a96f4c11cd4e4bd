import { FIX, type Edit } from '../support-agent/fix.ts'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from '../support-agent/scripts.ts'
import { startSupportWorld, type SupportWorldPorts } from '../support-agent/start-world.ts'
import { compareCandidates } from './candidates.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'
import { createRun, editAgent, type Run } from './run-as-told.ts'

/** A change of the prompt that nobody would think twice about. */
const PROMPT_CHANGE: Edit = {
  file: 'prompt.ts',
  from: 'Answer in two or three friendly sentences, without headings or lists.',
  to: 'Answer in two or three formal sentences, without headings or lists.',
}

/**
 * Tells the story of the double refund in a project: an incident in production, its recording, three candidates for a fix, the red test, the
 * fix, what a model makes of it, and an ordinary golden that notices one changed word.
 *
 * @throws Error when an act does not come out as told.
 */
export async function tellStory(project: Project, narrator: Narrator): Promise<void> {
  // Whoever runs the commands has a key, and not the one of production.
  const run = createRun(project, narrator, { OPENAI_API_KEY: 'sk-local-developer' })

  narrator.act('Production. Two customers write to a support agent; goldenrun records both runs as they happen.')
  const ports = await recordRuns(run, narrator)

  narrator.act('Jane complains. No server is running any more. Her run is found by her name, and flagged: it repeats a side effect.')
  await run(['npx goldenrun list --tag user=jane --since 1h'], { shows: ['refund_order: step 7 repeats step 5'] })

  narrator.act('Her run happens again, without a server, as often as you like. At each step its variables can be read.')
  await run(['npx goldenrun replay latest'], { shows: ['1 held'] })
  await run(['npx goldenrun inspect latest --find count'], { shows: ['before step 7', 'withRetry'] })

  narrator.act('Three fixes are tried, from the moment of the refund on.')
  await compareCandidates(project, narrator, run)

  narrator.act('The incident becomes a golden trace: a test that holds once the agent no longer does what went wrong.')
  narrator.say('Calls that the fixed agent will make, and the recorded one did not, are answered from a file:')
  narrator.file('answers.json', await project.read('answers.json'))
  await run(
    [
      'npx goldenrun promote latest~3 --incident --name refund-twice --yes',
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

  narrator.act(
    'What a model makes of the new answer, only a model can say. It is asked from step 7 on, in twelve samples; nothing is written.',
  )
  await verifyFix(run, ports)

  narrator.act('An ordinary run becomes a golden trace too: it holds while the agent does the same again.')
  await run(['npx goldenrun promote latest~4 --name cancel-unshipped --yes'], {
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

/** Records a run that goes well and the incident, in that order, so that the incident is the latest. */
async function recordRuns(run: Run, narrator: Narrator): Promise<SupportWorldPorts> {
  const world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' } })
  try {
    for (const [{ ticket, turns }, user] of [
      [CANCEL_UNSHIPPED, 'max'],
      [REFUND_LOST_ORDER, 'jane'],
    ] as const) {
      await run([`node src/answer-ticket.ts "${ticket}" ${user}`], { shows: [turns.at(-1)?.text ?? ''], env: world.env })
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
  return { provider: world.provider.port, payments: world.payments.port }
}

/** Samples ask the model at the addresses of the recorded run. */
async function verifyFix(run: Run, ports: SupportWorldPorts): Promise<void> {
  const world = await startSupportWorld({ ports })
  try {
    await run(['npx goldenrun verify refund-twice'], { shows: ['refund-twice: held', '12 of 12 samples passed'], env: world.env })
    if (world.payments.ledger.refunds.length > 0) throw new Error('A sample has booked a refund.')
  } finally {
    await world.close()
  }
}

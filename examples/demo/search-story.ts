import type { Edit } from '../support-agent/fix.ts'
import { listen } from '../world/listen.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'
import { createRun, editAgent } from './run-as-told.ts'

/** A tool call that was made before is not made again, and the model is told so. */
const FIX: Edit = {
  file: 'agent.ts',
  from: 'createAgent(policies.again, policies.always)',
  to: 'createAgent(policies.again, policies.once)',
}

/**
 * Tells the story of the search that never ends, in the project of `examples/incident`: its recording, the red test, the fix, and what a
 * model makes of it.
 *
 * @throws Error when an act does not come out as told.
 */
export async function tellSearchStory(project: Project, narrator: Narrator): Promise<void> {
  const run = createRun(project, narrator, { SHOP_PORT: String(await freePort()) })

  narrator.act('Another incident: Tom gets no answer. The model searches again and again, until the agent gives up.')
  narrator.say('world.ts runs a command beside a model and a shop, which are gone when the command is done.')
  await run(["node world.ts node src/answer-ticket.ts tom 'Which bulb fits my desk lamp?'"], { shows: ['No answer after 6 turns.'] })
  await run(['npx goldenrun list --tag user=tom --status threw --since 1h'], { shows: ['threw', '18'] })
  await run(['npx goldenrun show latest'], { shows: ['search_help({"query":"desk lamp bulb"}) → {"articles":[]}'] })

  narrator.act('Step 8 searches what step 2 has searched. The golden is red for as long as it does, and wants an answer.')
  await run(
    [
      'npx goldenrun promote latest --incident 8 --name search-loop --yes',
      '--describe "The agent searched until its last turn, and nobody got an answer"',
      `--answers search-answers.json --check 'toHaveOutcome({"status":"returned"})'`,
    ],
    { shows: ['the agent, after step 2, does not make step 8 again', 'Wrote golden-traces/search-loop.jsonl.'] },
  )
  narrator.say('With the Vitest plugin, the golden is a test file by itself:')
  await run(['npx vitest run'], { status: 1, shows: ['Failed to hold "search-loop"', 'Step 8 makes search_help'] })

  narrator.act('A call that was made before is not made again: the same golden is green, and a model that is told to stop, stops.')
  await editAgent(project, narrator, FIX)
  await run(['npx vitest run'], { shows: ['1 passed'] })
  await run(['node world.ts npx goldenrun verify search-loop'], { shows: ['search-loop: held', '12 of 12 samples passed'] })
}

/** A port that nobody listens on. All commands use it, as the recording names it. */
async function freePort(): Promise<number> {
  await using server = await listen(async () => undefined)
  return server.port
}

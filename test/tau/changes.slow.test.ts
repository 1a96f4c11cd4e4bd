import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { type Change, changeArgument, changeDescription, changePrompt, changeUserTurn, type Difference } from './changes.ts'
import { type GoldenRun, OVER_THE_RUNS, recordGoldenRuns, replayGolden, tauRuns } from './golden-runs.ts'
import { readRawRun, type RawRun } from './raw-run.ts'

const rawRuns: readonly RawRun[] = tauRuns.map(({ name }) => readRawRun(name))

/** How many runs carry what is changed was counted in the data by hand; in which, and at which step, is worked out from the data. */
interface Carried {
  readonly carriers: number
}

const PROMPTS: readonly (Carried & { readonly from: string; readonly to: string })[] = [
  { from: 'deny user requests', to: 'refuse user requests', carriers: 12 },
  { from: 'authenticate the user', to: 'identify the user', carriers: 20 },
  { from: 'human agent', to: 'person', carriers: 32 },
  { from: 'words that are in no policy', to: 'others', carriers: 0 },
]

const DESCRIPTIONS: readonly (Carried & { readonly tool: string })[] = [
  { tool: 'book_reservation', carriers: 12 },
  { tool: 'get_order_details', carriers: 20 },
  { tool: 'calculate', carriers: 32 },
  { tool: 'a_tool_of_no_shop', carriers: 0 },
]

const ARGUMENTS: readonly (Carried & { readonly tool: string; readonly argument: string; readonly value: unknown })[] = [
  { tool: 'book_reservation', argument: 'nonfree_baggages', value: 0, carriers: 5 },
  { tool: 'cancel_pending_order', argument: 'reason', value: 'no longer needed', carriers: 5 },
  { tool: 'search_direct_flight', argument: 'origin', value: 'JFK', carriers: 4 },
  { tool: 'modify_pending_order_address', argument: 'country', value: 'USA', carriers: 7 },
  { tool: 'exchange_delivered_order_items', argument: 'new_item_ids', value: ['9440686670'], carriers: 2 },
  { tool: 'get_user_details', argument: 'user_id', value: 'mei_patel_7272', carriers: 2 },
  { tool: 'calculate', argument: 'expression', value: '340 - 280', carriers: 1 },
  { tool: 'calculate', argument: 'expression', value: '6 * 7', carriers: 0 },
]

const USER_TURNS: readonly (Carried & { readonly turn: string })[] = [
  // An opening, answers in the middle, two that customers of two runs give, a last word, and one that nobody says.
  { turn: 'Hi, I need to change the passenger name on a flight reservation.', carriers: 1 },
  { turn: 'Daiki Sanchez, 46236.', carriers: 1 },
  { turn: 'Yes, I confirm the updated total. Please proceed with the booking.', carriers: 0 },
  { turn: 'No, just tell me the most expensive item and its price.', carriers: 1 },
  { turn: 'Sure! My name is Mei Patel, and my zip code is 76165.', carriers: 2 },
  { turn: 'Sure, my name is Yusuf Li, and my zip code is 91148.', carriers: 2 },
  { turn: 'Got it. Thank you. ###STOP###', carriers: 1 },
  { turn: '###STOP###', carriers: 1 },
]

describe.skipIf(tauRuns.length === 0)(`${OVER_THE_RUNS}, with an agent that was changed`, () => {
  let directory: TemporaryDirectory
  let goldens: GoldenRun[]

  beforeAll(async () => {
    directory = await createTemporaryDirectory()
    // Every other run is streamed.
    goldens = await recordGoldenRuns(directory.path, tauRuns, (index) => index % 2 === 1)
  }, 120_000)

  afterAll(() => directory[Symbol.asyncDispose]())

  it.each(PROMPTS)('finds another wording of "$from" in the system prompts that have it', async ({ from, to, carriers }) => {
    const { expected, seen } = await replayAll(changePrompt(from, to))
    expect(seen).toEqual({ ...NOTHING_ELSE, differences: expected })
    expect(expected.size).toBe(carriers)
  })

  it.each(DESCRIPTIONS)('finds another description of $tool in the runs that offer it', async ({ tool, carriers }) => {
    const { expected, seen } = await replayAll(changeDescription(tool, rawRuns))
    expect(seen).toEqual({ ...NOTHING_ELSE, differences: expected })
    expect(expected.size).toBe(carriers)
  })

  it.each(ARGUMENTS)('finds another $argument of $tool in the runs that pass $value', async ({ tool, argument, value, carriers }) => {
    const { expected, seen } = await replayAll(changeArgument(tool, argument, value))
    expect(seen).toEqual({ ...NOTHING_ELSE, differences: expected })
    expect(expected.size).toBe(carriers)
  })

  it.each(USER_TURNS)('finds other words than "$turn" in the runs where the customer says so', async ({ turn, carriers }) => {
    const { expected, seen } = await replayAll(changeUserTurn(turn))
    expect(seen).toEqual({ ...NOTHING_ELSE, differences: expected })
    expect(expected.size).toBe(carriers)
  })

  /** Replays all runs with the changed agent: those and only those that carry the change have to differ, first where they first carry it. */
  async function replayAll(change: Change): Promise<{ expected: Map<string, Difference>; seen: Seen }> {
    const expected = new Map<string, Difference>()
    const seen: Seen = { differences: new Map(), otherHashes: [], asked: [] }
    for (const golden of goldens) {
      const raw = readRawRun(golden.name)
      const shown = change.shows(raw)
      if (shown !== undefined) expected.set(golden.name, shown)
      const { run, asked } = await replayGolden(golden, change.options(raw.messages[0]?.content ?? ''))
      const [first] = run.divergences
      if (asked.tools + asked.customer > 0) seen.asked.push(golden.name)
      if (first !== undefined) seen.differences.set(golden.name, toDifference(first))
      else if (run.hash !== golden.trace.hash) seen.otherHashes.push(golden.name)
    }
    return { expected, seen }
  }
})

/** What the replays of all runs came to. */
interface Seen {
  /** The earliest divergence of each run that has one. */
  readonly differences: Map<string, Difference>
  /** Runs without a divergence whose hash is not their trace's all the same. */
  readonly otherHashes: string[]
  /** Runs that asked their world for something. */
  readonly asked: string[]
}

const NOTHING_ELSE = { otherHashes: [], asked: [] }

function toDifference({ step, position, cause, parts }: Divergence): Difference {
  return { step, position, cause, parts }
}

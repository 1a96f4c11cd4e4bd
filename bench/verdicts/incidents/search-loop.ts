import { tool } from 'goldenrun'
import { type AskedCall, callApi, createDeskAgent, type Habits } from './desk-agent.ts'
import { type Incident, type IncidentAgent, stepOf, type Variant } from './incident.ts'
import type { World } from './world.ts'

/** The model repeats the same search until its turns are used up. */
export const searchLoop: Incident = {
  name: 'a search loop that never answers',
  story: 'The search found nothing, so the model searched again, five times. The customer got no answer.',
  input: { ticket: 'How long is the warranty of the X200?' },
  script: {
    model: Array.from({ length: 9 }, () => ({ calls: [{ name: 'search', args: { query: 'X200 warranty' } }] })),
    api: () => ({ hits: [] }),
  },
  ways: [
    { name: 'bare', promote: (trace) => ({ at: stepOf(trace, 'search', 2) }) },
    { name: 'answers', promote: (trace) => ({ at: stepOf(trace, 'search', 2), answers: { 'openai.chat': { text: 'Two years.' } } }) },
    {
      name: 'by the third search',
      promote: (trace) => ({ at: stepOf(trace, 'search', 3), answers: { 'openai.chat': { text: 'Two years.' } } }),
    },
  ],
  original: (world) => createAgent(world, {}),
  variants: [
    wrong('unchanged', {}),
    wrong('more turns', { maxTurns: 8 }),
    wrong('a prompt that forbids it', { prompt: 'You are a friendly support agent. Never search twice.' }),
    wrong('a different model', { model: 'gpt-5' }),
    wrong('never searches', { act: () => Promise.resolve({ hits: [] }) }),
    wrong('fails at the first empty search', { again: () => Promise.reject(new Error('No hits.')), from: 1 }),
    wrong('remembers searches, and searches all the same', { again: (search, query) => search(query), from: 1 }),
    {
      name: 'two turns',
      expect: { bare: 'does not hold', answers: 'does not hold', 'by the third search': 'holds' },
      agent: (world) => createAgent(world, { maxTurns: 2 }),
    },
    {
      name: 'hands over after the first empty search',
      expect: 'holds',
      agent: (world) => createAgent(world, { maxTurns: 1, givesUp: () => Promise.resolve({ reply: 'A colleague will write to you.' }) }),
    },
    right('answers the second search from memory, and says so', {
      again: () => Promise.resolve({ hits: [], note: 'searched before' }),
      from: 2,
    }),
    right('offers other words after an empty search', { again: () => Promise.resolve({ hits: [], try: ['guarantee'] }), from: 2 }),
  ],
}

type Search = (query: string) => Promise<unknown>

interface Ways extends Partial<Habits> {
  /** Handles a search for the same words. Default: it is made. */
  again?(search: Search, query: string): Promise<unknown>
  /** The first search that is handled this way. Default: none. */
  readonly from?: number
}

function createAgent(world: World, { again, from = Infinity, ...habits }: Ways): IncidentAgent {
  const search = tool('search', { effect: 'read' }, (query: string) => callApi(world, 'GET', `/v1/search?q=${encodeURIComponent(query)}`))
  return (input) => {
    let nth = 0
    const act = ({ args }: AskedCall): Promise<unknown> => {
      nth += 1
      const query = String(args['query'])
      return nth >= from && again !== undefined ? again(search, query) : search(query)
    }
    return createDeskAgent(world, { tools: { search: 'Searches the manuals.' }, maxTurns: 5, act, ...habits })(input)
  }
}

function wrong(name: string, ways: Ways): Variant {
  return { name, expect: 'does not hold', agent: (world) => createAgent(world, ways) }
}

function right(name: string, ways: Ways): Variant {
  return {
    name,
    expect: { bare: 'cannot tell', answers: 'holds', 'by the third search': 'holds' },
    agent: (world) => createAgent(world, ways),
  }
}

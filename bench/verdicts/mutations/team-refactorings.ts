import { benign, type Mutation } from './mutation.ts'

const AGENT = 'agent.ts'
const HELPERS = 'helpers.ts'
const MEMORY = 'memory.ts'

/** Changes of the team that the world cannot notice. */
export const TEAM_REFACTORINGS: readonly Mutation[] = [
  benign('module memory', 'kept in an object', [
    MEMORY,
    'const threads = new Map<string, readonly string[]>()',
    'const kept: Record<string, readonly string[]> = {}\nconst threads = { get: (thread: string) => kept[thread], set: (thread: string, said: readonly string[]) => void (kept[thread] = said), delete: (thread: string) => delete kept[thread] }',
  ]),
  benign('module memory', 'bounded, far above what a thread says', [
    MEMORY,
    '[...recall(thread), ...said]',
    '[...recall(thread), ...said].slice(-100)',
  ]),
  benign('module memory', 'read once more', [AGENT, '  for (const question of', '  recall(thread)\n  for (const question of']),
  benign('module memory', 'by a function of its own', [
    MEMORY,
    'threads.set(thread, [...recall(thread), ...said])',
    'const all = recall(thread).concat(said)\n  threads.set(thread, all)',
  ]),
  benign('conversation', 'by index', [
    AGENT,
    'for (const question of questions) {',
    "for (let at = 0; at < questions.length; at += 1) {\n    const question = questions[at] ?? ''",
  ]),
  benign('sub-agents', 'begun one by one, and awaited together', [
    AGENT,
    'const [facts, value] = await Promise.all([research(question, ask, tools), appraise(question, ask, tools)])',
    'const [searching, pricing] = [research(question, ask, tools), appraise(question, ask, tools)]\n    const [facts, value] = [await searching, await pricing]',
  ]),
  benign('sub-agents', 'by a helper', [
    HELPERS,
    "return await ask('You research.', `${question} Found: ${found}`)",
    "const say = async (text: string): Promise<string> => await ask('You research.', text)\n  return await say(`${question} Found: ${found}`)",
  ]),
  benign('handoff', 'in a list', [
    AGENT,
    "await ask('You write.', plan, facts, value)",
    "await ask('You write.', ...[plan, facts, value])",
  ]),
]

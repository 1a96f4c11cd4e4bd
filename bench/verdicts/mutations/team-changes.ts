import { after, at, harmful, type Mutation } from './mutation.ts'
import { type Fields, last, nth, type Place, the } from './places.ts'

const AGENT = 'agent.ts'
const HELPERS = 'helpers.ts'
const MEMORY = 'memory.ts'

const PLAN = "const plan = await ask('You plan.', ...recall(thread), question)"
const BOTH = 'const [facts, value] = await Promise.all([research(question, ask, tools), appraise(question, ask, tools)])'
const WRITE = "await ask('You write.', plan, facts, value)"
const SAVE = 'saved.push(await save({ thread, question, answer }))'
const SUMMARY = "return await ask('You research.', `${question} Found: ${found}`)"

/** The nth model call of one of the team. */
function asked(role: string, n: number = 1): Place {
  return the('model', ({ messages }: Fields) => messages[0].content === `You ${role}.`, n)
}

/** Changes of the team that do harm. */
export const TEAM_CHANGES: readonly Mutation[] = [
  harmful('module memory', 'nothing is remembered', at(asked('plan', 2), 'input', 'messages'), [
    AGENT,
    '\n    remember(thread, question, answer)',
    '',
  ]),
  harmful('module memory', 'only answers are remembered', at(asked('plan', 2), 'input', 'messages'), [
    AGENT,
    'remember(thread, question, answer)',
    'remember(thread, answer)',
  ]),
  harmful('module memory', 'the latest comes first', at(asked('plan', 2), 'input', 'messages'), [
    MEMORY,
    '[...recall(thread), ...said]',
    '[...said.toReversed(), ...recall(thread)]',
  ]),
  harmful('module memory', 'the memory is one short', at(asked('plan', 2), 'input', 'messages'), [
    MEMORY,
    'threads.get(thread) ?? []',
    '(threads.get(thread) ?? []).slice(1)',
  ]),
  harmful('module memory', 'a plan is remembered and not made again', at(asked('plan', 2), 'missing-call'), [
    AGENT,
    PLAN,
    "const plan = recall(thread)[0] ?? (await ask('You plan.', ...recall(thread), question))",
  ]),
  harmful('conversation', 'the last question is left out', at(asked('plan', 2), 'missing-call'), [
    AGENT,
    'of questions)',
    'of questions.slice(0, 1))',
  ]),
  harmful('conversation', 'the last question is asked twice', after(last(), 'unexpected-call'), [
    AGENT,
    'of questions)',
    'of [...questions, ...questions.slice(-1)])',
  ]),
  harmful('conversation', 'the questions are asked in another order', at(asked('plan'), 'input', 'messages'), [
    AGENT,
    'of questions)',
    'of questions.toReversed())',
  ]),
  harmful('sub-agents', 'one is not asked', at(nth('look_up'), 'missing-call'), [
    AGENT,
    BOTH,
    "const [facts, value] = [await research(question, ask, tools), '']",
  ]),
  harmful('sub-agents', 'one after the other', at(nth('look_up'), 'order'), [
    AGENT,
    BOTH,
    'const facts = await research(question, ask, tools)\n    const value = await appraise(question, ask, tools)',
  ]),
  harmful('sub-agents', 'one asks another question', at(nth('search'), 'input', 'args'), [
    HELPERS,
    '{ query: question }',
    '{ query: `${question}!` }',
  ]),
  harmful('sub-agents', 'one has another role', at(asked('research'), 'input', 'system-prompt'), [
    HELPERS,
    "'You research.'",
    "'You research well.'",
  ]),
  harmful('sub-agents', 'one says what it found, and no model is asked', at(asked('research'), 'missing-call'), [
    HELPERS,
    SUMMARY,
    'return `${question} Found: ${found}`',
  ]),
  harmful('sub-agents', 'one searches twice', after(asked('research'), 'unexpected-call'), [
    HELPERS,
    SUMMARY,
    "const said = await ask('You research.', `${question} Found: ${found}`)\n  await search({ query: said })\n  return said",
  ]),
  harmful('handoff', 'the writer gets no value', at(asked('write'), 'input', 'messages'), [AGENT, WRITE, WRITE.replace(', value', '')]),
  harmful('handoff', 'the writer gets both in another order', at(asked('write'), 'input', 'messages'), [
    AGENT,
    WRITE,
    WRITE.replace('facts, value', 'value, facts'),
  ]),
  harmful('handoff', 'the plan is saved in place of the answer', at(asked('write'), 'missing-call'), [
    AGENT,
    `const answer = ${WRITE}`,
    'const answer = plan',
  ]),
  harmful('handoff', 'saved without the question', at(nth('save'), 'input', 'args'), [AGENT, SAVE, SAVE.replace(' question,', '')]),
  harmful('handoff', 'saved twice', after(nth('save'), 'unexpected-call'), [AGENT, SAVE, `${SAVE}\n    ${SAVE}`]),
  harmful('final answer', 'how much was said', after(last(), 'outcome'), [AGENT, 'recall(thread).length', 'recall(thread).length - 1']),
]

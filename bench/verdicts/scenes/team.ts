import { TEAM_CHANGES } from '../mutations/team-changes.ts'
import { TEAM_REFACTORINGS } from '../mutations/team-refactorings.ts'
import type { Fields } from '../mutations/places.ts'
import type { Script } from '../world/script.ts'
import type { Scene, Subject } from './subject.ts'

const ITEMS = ['a kettle', 'a lamp', 'a chair', 'a clock', 'a bowl', 'a rug', 'a mirror', 'a desk']

/** A module's memory, conversations, and sub-agents that work side by side. */
export const team: Subject = {
  name: 'team',
  scenes: ITEMS.map(toScene),
  mutations: [...TEAM_CHANGES, ...TEAM_REFACTORINGS],
}

function toScene(item: string, index: number): Scene {
  const questions = ['Is it old?', 'What is it worth?', 'Who made it?'].slice(0, 2 + (index % 2)).map((question) => `${item}: ${question}`)
  return { name: `team-${index + 1}`, input: { thread: `thread-${index + 1}`, questions }, createScript: () => script }
}

/** Two sub-agents work at the same time. Their answers come far apart, so that no machine swaps them, and depend on nothing but what is asked. */
const script: Script = ({ name, input }) => {
  const fields: Fields = input
  if (name === 'search') return { ms: 10, value: `All that was found on "${fields.query}".` }
  if (name === 'look_up') return { ms: 250, value: { price: 100 + String(fields.item).length } }
  if (name === 'save') return { value: 'saved' }
  const [{ content: system }, ...said] = fields.messages
  const { content: last } = said.at(-1)
  return { ms: 15, turn: { text: `${system} Of ${said.length} texts, the last one has ${String(last).length} characters.` } }
}

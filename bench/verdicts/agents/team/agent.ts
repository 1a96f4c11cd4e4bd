import { tool } from 'goldenrun'
import type { Context } from '../context.ts'
import { appraise, research, type Tools } from './helpers.ts'
import { clear, recall, remember } from './memory.ts'
import { createModel } from './model.ts'

/** What a user asks, one question after the other. */
export interface TeamInput {
  readonly thread: string
  readonly questions: readonly string[]
}

/** Forgets a thread, as a new process does. */
export function forget({ thread }: TeamInput): void {
  clear(thread)
}

/** Answers each question by a team: one plans, two find out side by side, one writes. It remembers what was said before. */
export async function agent({ thread, questions }: TeamInput, context: Context): Promise<unknown> {
  const ask = createModel(context.url)
  const tools: Tools = {
    search: tool('search', { effect: 'read' }, (args: object): Promise<string> => context.call('search', args)),
    lookUp: tool('look_up', { effect: 'read' }, (args: object): Promise<{ price: number }> => context.call('look_up', args)),
  }
  const save = tool('save', { effect: 'write' }, (args: object): Promise<string> => context.call('save', args))
  const saved: string[] = []

  for (const question of questions) {
    const plan = await ask('You plan.', ...recall(thread), question)
    const [facts, value] = await Promise.all([research(question, ask, tools), appraise(question, ask, tools)])
    const answer = await ask('You write.', plan, facts, value)
    saved.push(await save({ thread, question, answer }))
    remember(thread, question, answer)
  }
  return { thread, saved, said: recall(thread).length }
}

import { checkpoint } from 'goldenrun'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { visitAccount } from '../account.ts'
import type { Context } from '../context.ts'
import { createAsk } from './ask.ts'
import { FLAGS, LONGEST, MAX_TURNS } from './config.ts'
import { headers } from './headers.ts'
import { tellOf } from './history.ts'
import { SYSTEM } from './prompt.ts'
import { openWorkspace } from './workspace.ts'

/** What is to be done, and for whom. */
export interface CodingInput {
  readonly task: string
  readonly userToken: string
}

/** Works on a task until the model has nothing more to do, and commits what it did. */
export async function agent({ task, userToken }: CodingInput, context: Context): Promise<unknown> {
  await visitAccount(context, headers, userToken)
  const session = crypto.randomUUID()
  const workspace = openWorkspace(context, session)
  const ask = createAsk(context.url)
  const { title, folder } = await workspace.getTask(task, session)
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `${title} The folder is ${folder}.` },
  ]
  let summary = ''
  let turns = 0
  while (turns < MAX_TURNS) {
    const { text, calls } = await ask(tellOf(messages))
    turns += 1
    if (calls.length === 0) {
      summary = text ?? ''
      break
    }
    messages.push({ role: 'assistant', content: text, tool_calls: [...calls] })
    for (const call of calls) {
      const result = await workspace.run(call.function.name, JSON.parse(call.function.arguments) as Record<string, string>)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result).slice(0, LONGEST) })
    }
    reach('turn-over', { turns, changes: workspace.changes.length })
  }
  if (FLAGS.lint) await workspace.lint()
  const done = { summary, changes: [...workspace.changes], at: Math.floor(Date.now() / 1000) }
  const commit = FLAGS.commit ? await workspace.commit(done) : undefined
  reach('committed', { turns, commit })
  return { summary, turns, commit, changed: new Set(workspace.changes) }

  function reach(name: string, state: unknown): void {
    checkpoint(name, state)
    context.reached(name, state)
  }
}

import { mkdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { type Provider, startProvider } from '../../examples/world/provider.ts'
import { record } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createPastProject, type PastProject } from './past-code/past-project.ts'

/** Starts a model that knows what to do with the second prompt, and not with the first. `onAsked` is called for each call. */
export function startKnowingModel(onAsked: () => void = () => undefined): Promise<Provider> {
  return startProvider({
    script({ system: [prompt = ''] }) {
      onAsked()
      return { text: prompt.includes('order first') ? 'Refunded.' : 'Which order?', usage: { inputTokens: 30, outputTokens: 3 } }
    },
  })
}

/** The agent with a prompt, as source. */
export const agentWith = (provider: Provider, prompt: string): string => `export async function support(input) {
  const response = await fetch(${JSON.stringify(`${provider.openaiBaseUrl}/chat/completions`)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: \`Bearer \${process.env.OPENAI_API_KEY}\` },
    body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'system', content: ${JSON.stringify(prompt)} }, { role: 'user', content: input.ticket }] }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}
`

/** The check that an answer has to pass. */
export const checked: readonly string[] = ['--check', 'toHaveOutcome({"status":"returned","output":"Refunded."})']

/** A project with a golden of the first prompt, whose agent has the second. */
export async function createVerifyProject(provider: Provider): Promise<PastProject> {
  const project = await createPastProject()
  await project.write('agent.ts', agentWith(provider, 'You help customers.'))
  await project.write('goldenrun.config.ts', `export default { agents: { support: './agent.ts#support' } }\n`)
  await mkdir(project.resolve('golden-traces'), { recursive: true })
  const { support } = (await import(project.resolve('agent.ts'))) as { support: (input: { ticket: string }) => Promise<string> }
  await record(project.resolve('.goldenrun/runs'), { agent: 'support', input: { ticket: 'a refund, please' } }, support)
  const promoted = await runCommand(project.path, ['promote', 'latest', '--name', 'refund', '--yes', '--no-replay'])
  expect(promoted.status, promoted.stderr).toBe(0)
  await project.commit('An agent')
  await project.write('agent.ts', agentWith(provider, 'Look up the order first.'))
  return project
}

import { expect, it } from 'vitest'
import { loadAgent } from '../../src/config/load-agent.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('loads an agent by the paths of tsconfig.json, and its modules too', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }')
  await project.write('src/prompt.ts', "export const prompt: string = 'be kind'")
  await project.write('src/agent.ts', "import { prompt } from '@/prompt'\nexport const agent = (): string => prompt")
  await project.write('src/agents.ts', "export const agents = { support: '@/agent#agent' }")
  await project.write('goldenrun.config.ts', "import { agents } from '@/agents'\nexport default { agents }")
  const agent = await loadAgent(await loadConfig(project.path), 'support')
  expect(agent?.({} as never, undefined as never)).toBe('be kind')
})

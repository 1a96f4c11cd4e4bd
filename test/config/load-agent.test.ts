import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { compiledFolder } from '../../src/config/compiled-folder.ts'
import { loadAgent } from '../../src/config/load-agent.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { runNode } from '../support/run-command.ts'
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

it('keeps compiled modules below node_modules, and compiles a changed module again', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('node_modules/.keep', '')
  await project.write('goldenrun.config.ts', "export default { agents: { support: './agent.ts#agent' } }")
  const answer = async (text: string): Promise<unknown> => {
    await project.write('agent.ts', `import { word } from './word.ts'\nexport const agent = (): string => \`${text} \${word}\``)
    const url = JSON.stringify(new URL('../../src/config/', import.meta.url).href)
    const load = `const [{ loadConfig }, { loadAgent }] = await Promise.all([import(${url} + 'load-config.ts'), import(${url} + 'load-agent.ts')])`
    const program = `${load}\nconsole.log((await loadAgent(await loadConfig(process.argv[2]), 'support'))())`
    await project.write('load.mjs', program)
    return (await runNode(project.path, ['load.mjs', project.path])).stdout.trim()
  }
  await project.write('word.ts', "export const word: string = 'dear'")
  const compiled = async (): Promise<string[]> => await readdir(project.resolve('node_modules/.cache/goldenrun'))
  expect([await answer('hello'), (await compiled()).length]).toEqual(['hello dear', 3])
  expect([await answer('hello'), await answer('good-bye')]).toEqual(['hello dear', 'good-bye dear'])
  await project.write('word.ts', "export const word: string = 'all'")
  expect([await answer('good-bye'), (await compiled()).length]).toEqual(['good-bye all', 3])
})

it('writes no compiled module for a project without node_modules', async () => {
  expect(compiledFolder('/agents/goldenrun.config.ts')).toBe(false)
})

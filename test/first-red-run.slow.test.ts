import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startProvider } from '../examples/world/provider.ts'
import { startRegistry } from './support/loopback-registry.ts'
import { runWorkflow } from './support/run-workflow.ts'
import { createTemporaryDirectory } from './support/temporary-directory.ts'

/** An agent as anybody would write it first. */
const agent = `import OpenAI from 'openai'

const openai = new OpenAI()

export async function supportAgent({ ticket }: { ticket: string }) {
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-4.1-mini',
    messages: [
      { role: 'system', content: 'You are a friendly support agent.' },
      { role: 'user', content: ticket },
    ],
  })
  return { reply: choices[0]?.message.content ?? '' }
}
`

it('comes from an empty project to a red CI run by the commands of the README', async () => {
  const commands = await readCommands()
  expect(commands.length).toBeLessThanOrEqual(6)
  // One line is one command: nothing is hidden behind another.
  expect(commands.filter((command) => /&&|\|\||[;|]|\$\(/.test(command))).toEqual([])

  await using registry = await startRegistry()
  await using directory = await createTemporaryDirectory()
  const repository = JSON.parse(await readFile('package.json', 'utf8')) as { devDependencies: Record<string, string> }
  const { openai = '', vitest = '' } = repository.devDependencies
  // As here, so that no release of today decides.
  const vite = (JSON.parse(await readFile('node_modules/vite/package.json', 'utf8')) as { readonly version: string }).version
  const project = directory.resolve('support')
  await mkdir(path.join(project, 'src'), { recursive: true })
  await writeFile(
    path.join(project, 'package.json'),
    JSON.stringify(
      { name: 'support', private: true, type: 'module', dependencies: { openai }, devDependencies: { vitest, vite } },
      undefined,
      2,
    ),
  )
  await writeFile(path.join(project, 'src/agent.ts'), agent)
  await writeFile(path.join(project, '.gitignore'), 'node_modules/\n')
  const env = environment(directory.path, registry.url)
  // The registry is in this process: it must not wait.
  const inProject = async (command: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-c', `exec 2>&1 </dev/null; ${command}`], {
      cwd: project,
      env: { ...env, ...more },
    })
    return stdout
  }
  await inProject('npm install')
  const remote = directory.resolve('remote.git')
  await inProject(`git init --initial-branch main --quiet && git init --bare --initial-branch main --quiet ${remote}`)
  await inProject(`git remote add origin ${remote} && git config push.default current`)

  const provider = await startProvider({ script: [{ text: 'It left our house this morning.' }] })
  for (const command of commands) await inProject(command, { OPENAI_BASE_URL: provider.openaiBaseUrl, OPENAI_API_KEY: 'sk-of-the-user' })
  // One call was made, when the golden was recorded. From here on there is no provider.
  expect(provider.exchanges).toHaveLength(1)
  await provider.close()

  const edited = await inProject('git show HEAD:src/agent.ts')
  const lines = agent.split('\n')
  expect(edited.split('\n').filter((line, index) => line !== lines[index])).toHaveLength(1)

  const checkout = directory.resolve('checkout')
  await inProject(`git clone --quiet ${remote} ${checkout}`)
  const { status, output, summary, outputs } = await runWorkflow(checkout, '.github/workflows/goldenrun.yml', env)
  expect(output).toContain('Failed to replay "support-example": step 1 diverged (input: system prompt).')
  expect(output).toMatch(/::error file=[^,]*src\/agent\.ts,[^\n]*line=6,/)
  expect(summary).toContain('## Golden traces\n\n### Failed to replay "support-example"')
  expect(outputs['status']).toBe('1')
  const markdown = await readFile(path.join(checkout, 'goldenrun.md'), 'utf8')
  expect(markdown).toContain('- "You are a friendly support agent."\n+ "You are a formal support agent."\n')
  expect(status).toBe(1)
}, 600_000)

/** The commands that the README lists and counts. */
async function readCommands(): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8')
  const [, block = ''] = /\n## From nothing to a red CI run\n.*?```sh\n(.*?)```/s.exec(readme) ?? []
  return block.split('\n').filter((line) => line !== '')
}

/** The environment of a user's shell, who has no other npm, git and test runner around them. */
function environment(home: string, registry: string): Record<string, string> {
  const foreign = /^(?:VITEST|CI$|GITHUB_|NODE_ENV$|NODE_OPTIONS$|GOLDENRUN|npm_|INIT_CWD$|FORCE_COLOR$)/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name)) as [string, string][]
  return {
    ...Object.fromEntries(own),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
    npm_config_registry: registry,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
    GIT_AUTHOR_NAME: 'A. Developer',
    GIT_AUTHOR_EMAIL: 'developer@example.com',
    GIT_COMMITTER_NAME: 'A. Developer',
    GIT_COMMITTER_EMAIL: 'developer@example.com',
  }
}

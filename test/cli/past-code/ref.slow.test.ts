import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { buildPackage } from '../../support/build-package.ts'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { addGolden, addPackage, agentSaying, config, createGoodAndBad, createPastProject, goodFiles } from './past-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

it('prints JSON and Markdown as without a ref', async () => {
  await using project = await createGoodAndBad()
  const json = await project.replay('--ref', 'bad', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    counts: { held: 0, notHeld: 1 },
    traces: [{ name: 'greet', file: 'golden-traces/greet.jsonl', status: 'not held' }],
    reports: [{ trace: { name: 'greet' }, divergence: { cause: 'outcome' }, advice: [] }],
  })
  expect([json.stderr, json.status]).toEqual(['', 1])
  const markdown = await project.replay('--ref', 'bad', '--markdown')
  expect(markdown.stdout).toMatch(/^### Failed to replay "greet": /)
  expect(markdown.stdout).toMatch(/\n\n1 golden traces?: 1 not held\.\n$/)
})

it('replays goldens and recordings of the current tree, uncommitted ones too, and names each that cannot be read', async () => {
  await using project = await createGoodAndBad()
  project.git('rm', '--quiet', '--cached', '-r', 'golden-traces')
  await project.commit('Have no golden', { 'agent.ts': agentSaying('Hello') })
  await project.write('golden-traces/empty.jsonl', '')
  const { status, stdout } = await project.replay('latest', 'empty', '--ref', 'HEAD')
  expect(stdout).toMatch(/^Could not replay empty: golden-traces\/empty\.jsonl: the file is empty and has no run row\./)
  expect(stdout).toMatch(/\n\n3 traces replayed: 1 could not run, 2 held\.\n$/)
  expect(status).toBe(2)
})

it('uses the current config with a commit that has none, resolved against that commit, and says so', async () => {
  await using project = await createPastProject()
  await project.commit('Say goodbye', { 'agent.ts': agentSaying('Goodbye') })
  await project.commit('Say hello, with a config', goodFiles)
  const { status, stdout, stderr } = await project.replay('--ref', 'HEAD~1')
  expect(stderr).toBe('HEAD~1 has no goldenrun.config.ts: the current one is used, with the code of HEAD~1.\n')
  expect(stdout).toContain('Goodbye Ada')
  expect(status).toBe(1)
})

it('names the config of the commit where that does not name the agent', async () => {
  await using project = await createGoodAndBad()
  await project.commit('Name nobody', { 'goldenrun.config.ts': 'export default {}\n' })
  await project.write('goldenrun.config.ts', config)
  const { status, stdout } = await project.replay('--ref', 'HEAD')
  expect(stdout).toContain(
    'golden-traces/greet.jsonl is a run of the agent "greeter", and goldenrun.config.ts names no agent. Add it there:',
  )
  expect(status).toBe(2)
})

it('cannot run a commit whose agent does not compile, or ends the process, and cleans up', async () => {
  await using project = await createGoodAndBad()
  await project.commit('Break it', { 'agent.ts': 'export const greeter = (' })
  const broken = await project.replay('--ref', 'HEAD')
  expect(broken.stdout).toContain(
    'Could not replay greet: goldenrun.config.ts: the field agents.greeter names ./agent.ts, which could not be loaded:',
  )
  expect(broken.status).toBe(2)
  await project.commit('End the process', { 'agent.ts': 'process.exit(0)' })
  expect(await project.replay('--ref', 'HEAD')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'The code of HEAD ended the process of its replay, with exit status 0.\n',
  })
  expect(project.leftovers()).toEqual([])
})

it('keeps what the agent prints out of its own output', async () => {
  await using project = await createGoodAndBad()
  await project.commit('Print', { 'agent.ts': `console.log('out')\nconsole.error('err')\n${agentSaying('Hello')}` })
  const { stdout, stderr } = await project.replay('--ref', 'HEAD', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ counts: { held: 1 } })
  expect(stderr.split('\n').toSorted()).toEqual(['', 'err', 'out'])
})

it('uses the installed packages', async () => {
  await using project = await createGoodAndBad()
  await addPackage(project, 'goldenrun', await buildPackage())
  const agent = `import { tool } from 'goldenrun'\nconst say = tool('say', {}, async (word: string) => word)\n`
  await project.commit('Use a package', {
    'agent.ts': `${agent}${agentSaying('Hello').replace('return `', 'return await say(`').replace('}`', '}`)')}`,
  })
  const { stdout } = await project.replay('--ref', 'HEAD')
  expect(stdout).toContain('The agent made a call that the recorded run did not make.')
  expect(existsSync(project.resolve('node_modules/goldenrun/package.json'))).toBe(true)
})

it('replays in a folder of a monorepo, with the packages of the monorepo as they were', async () => {
  await using project = await createPastProject()
  await project.write('packages/bot/package.json', '{ "name": "bot", "type": "module" }\n')
  await addGolden(project, 'packages/bot')
  const words = (word: string): Record<string, string> => ({ 'packages/words/index.js': `export const word = '${word}'\n` })
  await project.write('packages/words/package.json', '{ "name": "@repo/words", "type": "module", "main": "index.js" }\n')
  await addPackage(project, '@repo/words', project.resolve('packages/words'))
  const own = {
    'packages/bot/node_modules/name/package.json': '{ "main": "index.cjs" }',
    'packages/bot/node_modules/name/index.cjs': "exports.name = 'Ada'",
  }
  for (const [file, text] of Object.entries(own)) await project.write(file, text)
  await project.commit('Say hello', {
    ...words('Hello'),
    'packages/bot/goldenrun.config.ts': config,
    'packages/bot/agent.ts': `import { word } from '@repo/words'\nimport { name } from 'name'\nexport const greeter = async () => \`\${word} \${name}\`\n`,
  })
  await project.commit('Say goodbye', words('Goodbye'))
  expect(await project.run(['replay', 'greet', '--ref', 'HEAD~1'], {}, 'packages/bot')).toMatchObject({ status: 0, stderr: '' })
  expect(await project.run(['replay', 'greet', '--ref', 'HEAD'], {}, 'packages/bot')).toMatchObject({ status: 1, stderr: '' })
  expect(await project.run(['replay', 'packages/bot/golden-traces/greet.jsonl', '--ref', 'HEAD~1'])).toMatchObject({
    status: 0,
    stderr: '',
  })
  expect(project.leftovers()).toEqual([])
})

const lock = (version: string): string =>
  JSON.stringify({ name: 'project', version, lockfileVersion: 3, requires: true, packages: { '': { name: 'project', version } } })

it('refuses a commit with another lock file, and installs its packages with --install', async () => {
  await using project = await createGoodAndBad()
  const packageJson = { name: 'project', version: '1.0.0', type: 'module', dependencies: { words: `file:./vendor/words` } }
  await project.commit('Depend', {
    'vendor/words/package.json': '{ "name": "words", "version": "1.0.0", "main": "index.cjs" }',
    'vendor/words/index.cjs': "exports.word = 'Hello'",
    'package.json': JSON.stringify(packageJson),
    'package-lock.json': JSON.stringify({
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'project', version: '1.0.0', dependencies: packageJson.dependencies },
        'node_modules/words': { resolved: 'vendor/words', link: true },
        'vendor/words': { name: 'words', version: '1.0.0' },
      },
    }),
    'agent.ts': `import { word } from 'words'\nexport const greeter = async ({ name }: { name: string }) => \`\${word} \${name}\`\n`,
  })
  await project.commit('Depend on nothing', {
    'package.json': '{ "name": "project", "type": "module" }\n',
    'package-lock.json': lock('2.0.0'),
  })
  const args = ['replay', 'greet', '--ref', 'HEAD~1']
  expect(await project.run(args)).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'The package-lock.json of HEAD~1 differs from the current one, so the installed packages are not those of that commit. To install its own for this replay: --install\n',
  })
  const env = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_update_notifier: 'false' }
  const installed = await project.run([...args, '--install'], env)
  expect(installed.stdout, installed.stderr).toBe('1 trace replayed: 1 held.\n')
  expect(existsSync(project.resolve('node_modules'))).toBe(false)

  await project.write('package-lock.json', lock('3.0.0'))
  project.git('commit', '--quiet', '--all', '-m', 'Break the lock file')
  await project.write('package.json', '{ "name": "project", "type": "module", "dependencies": { "none": "1.0.0" } }')
  project.git('commit', '--quiet', '-m', 'Break it', 'package.json')
  await project.write('package-lock.json', lock('4.0.0'))
  const failed = await project.run(['replay', 'greet', '--ref', 'HEAD', '--install'], env)
  expect(failed.status).toBe(2)
  expect(failed.stderr).toMatch(/\nCould not install the packages of HEAD: npm ci ended with exit status 1\.\n$/)
  expect(project.leftovers()).toEqual([])
})

it('does not run the hooks of the repository, and does not take its state from a hook that runs goldenrun', async () => {
  await using project = await createGoodAndBad()
  await project.write('.git/hooks/post-checkout', '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/hooked"\n')
  await chmod(project.resolve('.git/hooks/post-checkout'), 0o755)
  const env = { GIT_DIR: project.resolve('.git'), GIT_INDEX_FILE: project.resolve('.git/index') }
  expect(await project.run(['replay', 'greet', '--ref', 'good'], env)).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(project.resolve('.git/hooked'))).toBe(false)
  expect(project.git('status', '--porcelain')).toBe('')
})

it('removes the worktree and ends the replay where a signal ends the command', async () => {
  await using project = await createGoodAndBad()
  const marker = project.resolve('.goldenrun/alive')
  await project.commit('Hang', {
    'agent.ts': `import { writeFileSync } from 'node:fs'
for (;;) {
  writeFileSync(${JSON.stringify(marker)}, String(process.hrtime.bigint()))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}
`,
  })
  const cli = path.join(await buildPackage(), 'dist/cli.js')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    await rm(marker, { force: true })
    const command = spawn(process.execPath, [cli, 'replay', 'greet', '--ref', 'HEAD'], {
      cwd: project.path,
      env: { ...process.env, ...project.env },
      stdio: 'ignore',
    })
    const exited = once(command, 'exit')
    while (!existsSync(marker)) await sleep(20)
    expect(project.leftovers()).not.toEqual([])
    command.kill(signal)
    expect(await exited).toEqual([null, signal])
    expect(project.leftovers()).toEqual([])
    const last = readFileSync(marker, 'utf8')
    await sleep(200)
    expect(readFileSync(marker, 'utf8')).toBe(last)
  }
})

it('starts from the build, in a folder that is reached by a symbolic link', async () => {
  await using project = await createGoodAndBad()
  await using links = await createTemporaryDirectory()
  await symlink(project.path, links.resolve('project'), 'junction')
  const cli = path.join(await buildPackage(), 'dist/cli.js')
  const { status, stdout, stderr } = await runNode(links.resolve('project'), [cli, 'replay', '--ref', 'good'])
  expect([status, stdout, stderr]).toEqual([0, '1 trace replayed: 1 held.\n', ''])
})

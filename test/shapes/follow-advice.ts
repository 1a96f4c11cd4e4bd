import { execSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LineResult, runLine } from '../support/packed-project.ts'
import type { Shape } from './shapes.ts'

/** A command that was run, as it was printed or as anybody knows it. */
export interface FollowedCommand {
  readonly command: string
  readonly status: number | null
  readonly output: string
}

/** What came of following what goldenrun prints, from a project without it to a golden that was red twice and is green again. */
export interface Followed {
  /** Up to the first red test: what a new user types. */
  readonly toFirstRed: readonly FollowedCommand[]
  /** From there on: the advised commands and the tests after them. */
  readonly toGreen: readonly FollowedCommand[]
  /** Requests that reached the world without `GOLDENRUN=record`. */
  readonly leaked: number
}

/** Something did not come out as it has to. */
export class NotFollowedError extends Error {
  override readonly name = 'NotFollowedError'
}

const prompts = ['Answer in one sentence.', 'Answer in two sentences.', 'Answer in three sentences.'] as const

/**
 * Installs the packed package in a project, and does what it says, to the letter: nothing but the agent's prompt and calls is edited by hand.
 *
 * @throws NotFollowedError where a command that was printed does not do what it was printed for.
 */
export async function followAdvice(shape: Shape, tarball: string): Promise<Followed> {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-shape-')))
  const folder = path.join(top, shape.folder ?? '')
  const world = await startWorld()
  try {
    await writeProject(top, folder, shape)
    const env = { ...(await packageManagerEnv(top)), MODEL_URL: world.url, MODEL_KEY: 'none' }
    const run = async (command: string, wanted: 'green' | 'red'): Promise<FollowedCommand> => {
      const before = world.requests
      const result: LineResult = await runLine(command, folder, env)
      if (!command.includes('GOLDENRUN=record')) world.leaked += world.requests - before
      if ((result.status === 0) === (wanted === 'green')) return { command, ...result }
      throw new NotFollowedError(`${command}\nwas to be ${wanted}, and ended with ${String(result.status)}:\n${result.output}`)
    }
    for (const command of firstInstall(shape)) await run(command, 'green')
    const toFirstRed = [await run(install(shape, tarball), 'green')]
    const init = await run(`${exec(shape)} goldenrun init --yes --input '{ "ticket": "Where is my order?" }'`, 'green')
    toFirstRed.push(init)
    for (const command of nextSteps(init.output)) toFirstRed.push(await run(command, 'green'))
    const test = toFirstRed.at(-1)?.command ?? ''

    await replaceInFile(path.join(folder, promptFile(shape)), prompts[0], prompts[1])
    const red = await run(test, 'red')
    toFirstRed.push(red)
    const toGreen = [await run(adviceIn(red.output), 'green'), await run(test, 'green')]

    // What the recorded answers are not enough for.
    await replaceInFile(path.join(folder, agentFile(shape)), 'const rounds = 1', 'const rounds = 2')
    const other = await run(test, 'red')
    toGreen.push(other, await run(adviceIn(other.output), 'green'), await run(test, 'green'))
    return { toFirstRed, toGreen, leaked: world.leaked }
  } finally {
    await world.close()
    await rm(top, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What `init` lists under `Next:`. */
function nextSteps(output: string): string[] {
  const [, listed = ''] = output.split('\nNext:\n')
  return listed.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []))
}

/** The command of the first advice on how to accept a change: behind its words, or on the next line. */
function adviceIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const index = lines.findIndex((line) => /^(?:To accept the new|Or, if the agent is right)[^:]*:/.test(line))
  const [, behind = ''] = /^[^:]*:\s*(.*)$/.exec(lines[index] ?? '') ?? []
  const command = behind === '' ? lines[index + 1] : behind
  if (command === undefined || command === '') throw new NotFollowedError(`No command is advised in:\n${output}`)
  return command
}

interface World {
  readonly url: string
  requests: number
  leaked: number
  close(): Promise<void>
}

/** A model that says the same to everybody. */
async function startWorld(): Promise<World> {
  const server: Server = createServer((request, response) => {
    world.requests += 1
    request.resume().once('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end('{ "choices": [{ "message": { "role": "assistant", "content": "It is on its way." } }] }')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const world: World = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    leaked: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return world
}

function agentFile({ agent = 'ts' }: Shape): string {
  return `src/agent.${agent === 'ts' ? 'ts' : 'js'}`
}

function promptFile({ agent = 'ts' }: Shape): string {
  return `src/prompt.${agent === 'ts' ? 'ts' : 'js'}`
}

function agentText({ agent = 'ts' }: Shape): string {
  const isTyped = agent === 'ts'
  const head =
    agent === 'cjs' ? "const { prompt } = require('./prompt')" : `import { prompt } from './prompt${agent === 'esm' ? '.js' : ''}'`
  const declared = agent === 'cjs' ? 'async function supportAgent' : 'export async function supportAgent'
  const given = isTyped ? '({ ticket }: { ticket: string }): Promise<{ reply: string }>' : '({ ticket })'
  return `${head}

const rounds = 1

${declared}${given} {
  let reply = ''
  for (let round = 0; round < rounds; round += 1) {
    const response = await fetch(\`\${process.env['MODEL_URL']}/v1/chat/completions\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4.1-mini', messages: [{ role: 'system', content: prompt }, { role: 'user', content: ticket }] }),
    })
    const answer = ${isTyped ? '(await response.json()) as { choices: { message: { content: string } }[] }' : 'await response.json()'}
    reply = answer.choices[0]?.message.content ?? ''
  }
  return { reply }
}
${agent === 'cjs' ? '\nmodule.exports = { supportAgent }\n' : ''}`
}

async function writeProject(top: string, folder: string, shape: Shape): Promise<void> {
  const { agent = 'ts', files, manifest = {}, devDependencies } = shape
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  for (const [file, text] of Object.entries(files)) await write(path.join(top, file), text)
  await write(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ name: 'support', private: true, ...manifest, devDependencies }, null, 2)}\n`,
  )
  await write(path.join(folder, agentFile(shape)), agentText(shape))
  const prompt = agent === 'cjs' ? 'exports.prompt' : 'export const prompt'
  await write(path.join(folder, promptFile(shape)), `${prompt} = '${prompts[0]}'\n`)
}

async function replaceInFile(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new NotFollowedError(`${file} has no place that reads: ${from}`)
  await writeFile(file, text.replace(from, to))
}

const quiet = '--prefer-offline --no-audit --no-fund --loglevel=error'

/** What is there before goldenrun is. */
function firstInstall({ packageManager = 'npm' }: Shape): string[] {
  return [{ npm: `npm install ${quiet}`, pnpm: 'pnpm install --prefer-offline', yarn: 'yarn install' }[packageManager]]
}

function install({ packageManager = 'npm' }: Shape, tarball: string): string {
  const added = { npm: `npm install --save-dev ${quiet} "${tarball}"`, pnpm: `pnpm add --save-dev --prefer-offline "${tarball}"` }
  return packageManager === 'yarn' ? `yarn add --dev "goldenrun@file:${tarball}"` : added[packageManager]
}

function exec({ packageManager = 'npm' }: Shape): string {
  return { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run' }[packageManager]
}

/** Puts package managers on the path that are not installed here. */
async function packageManagerEnv(top: string): Promise<Record<string, string>> {
  const bin = path.join(top, '.bin')
  await mkdir(bin, { recursive: true })
  const managers = { pnpm: 'pnpm@12.21.0', yarn: '@yarnpkg/cli-dist@4.18.1' }
  for (const [name, spec] of Object.entries(managers)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\nexec npx --yes --loglevel=error --package ${spec} ${name} "$@"\n`)
    await chmod(path.join(bin, name), 0o755)
  }
  return {
    PATH: [path.dirname(process.execPath), bin, process.env['PATH'] ?? ''].join(path.delimiter),
    YARN_NPM_REGISTRY_SERVER: execSync('npm config get registry --loglevel=error', { encoding: 'utf8' }).trim(),
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  }
}

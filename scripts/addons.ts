/**
 * Tries programs with native addons that reach nothing: each package, beside each of the things that a process does, on each surface. Fails if an addon
 * that cannot reach the world is suspected, or if a replay finds something native: `npm run test:full -- addons`. It installs the packages in a temporary
 * folder, or uses those that are installed in `--packages <folder>`. `--package <pattern>` and `--surface api|command|vitest|jest` try a part.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Tried, writeGoldens, writeScript } from '../test/boundaries/native/innocent-project.ts'
import { activities, furtherInnocents, type Innocent, ownInnocents, surroundings } from '../test/boundaries/native/innocents.ts'
import { linkPackages } from '../test/support/build-package.ts'
import { type CommandResult, runNode } from '../test/support/run-command.ts'
import { createVitestWorkspace } from '../test/support/vitest-workspace.ts'

const { values } = parseArgs({
  options: { packages: { type: 'string' }, package: { type: 'string' }, surface: { type: 'string' } },
})
const surfaces = ['api', 'command', 'vitest', 'jest'].filter((each) => values.surface === undefined || each === values.surface)
const everything = [...activities, ...surroundings]
const server = createServer((_request, response) => response.end('fine'))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const env = { PORT: String((server.address() as AddressInfo).port), BAML_LOG: 'off', CI: '', NO_COLOR: '1' }
const faults: string[] = []
let programs = 0
{
  await using workspace = await createVitestWorkspace()
  const root = path.dirname((await workspace.project({})).path)
  await linkPackages(path.join(root, 'node_modules'), ['jest'])
  const installed = values.packages ?? (await install(path.join(root, 'installed')))
  for (const innocent of [...ownInnocents, ...furtherInnocents]) {
    if (!new RegExp(values.package ?? '').test(innocent.name)) continue
    const isOwn = ownInnocents.includes(innocent)
    const from = isOwn ? import.meta.url : path.join(path.resolve(installed), 'index.js')
    const isThere = isOwn || existsSync(path.join(installed, 'node_modules', innocent.name))
    const before = faults.length
    if (isThere)
      for (const surface of surfaces)
        await trySurface(surface, innocent, path.join(root, `${surface} ${innocent.name.replace('/', ' ')}`), from)
    console.log(`${innocent.name}: ${isThere ? (faults.length === before ? 'nothing native' : 'WRONG') : 'not installed'}`)
  }
}
server.close()
server.closeAllConnections()
for (const fault of faults) console.error(fault)
console.log(`${programs} programs: ${faults.length === 0 ? 'none is suspected wrongly' : `${faults.length} came to something else`}.`)
process.exitCode = faults.length === 0 && programs > 0 ? 0 : 1

async function trySurface(surface: string, innocent: Innocent, folder: string, from: string): Promise<void> {
  const fault = (what: string): void => void faults.push(`${innocent.name}, ${surface}: ${what}`)
  if (surface === 'api') {
    await writeScript(folder, innocent, everything, from)
    const { status, stdout, stderr } = await runNode(folder, ['try.mjs'], env)
    if (status !== 0) return fault(`failed to run: ${stderr.slice(0, 500)}`)
    const tried = JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as Tried[]
    programs += tried.length
    for (const { activity, addons, contacts, divergences } of tried) {
      const isRight = addons.length > 0 === (innocent.isSuspect === true) && contacts.length === 0 && divergences.length === 0
      if (!isRight) fault(`${activity}: ${JSON.stringify({ addons, contacts, divergences })}`)
    }
    return
  }
  await writeGoldens(folder, innocent, activities, from)
  const promoted = await runNode(folder, ['promote.mjs'], env)
  if (promoted.status !== 0) return fault(`failed to promote: ${promoted.stderr.slice(0, 500)}`)
  const modules = path.join(path.dirname(folder), 'node_modules')
  const { status, stdout, stderr } = await runSurface(surface, folder, modules)
  programs += activities.length
  if (status !== 0) fault(`is red: ${(stdout + stderr).slice(0, 2_000)}`)
  // The summary of a runner names suspect packages.
  if (surface !== 'command' && (stdout + stderr).includes('which native code could use') !== (innocent.isSuspect === true))
    fault(innocent.isSuspect === true ? 'the summary does not name it' : 'the summary names a package')
}

function runSurface(surface: string, folder: string, modules: string): Promise<CommandResult> {
  if (surface === 'command') return runNode(folder, [path.join(modules, 'goldenrun/dist/cli.js'), 'replay'], env)
  if (surface === 'vitest') return runNode(folder, [path.join(modules, 'vitest/vitest.mjs'), 'run'], env)
  return runNode(folder, ['--experimental-vm-modules', path.join(modules, 'jest/bin/jest.js'), '--runInBand'], env)
}

/** Installs what the repository does not have, without running the packages' scripts: their addons have to lie in them. */
async function install(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n')
  for (const { name, install: names = [name] } of furtherInnocents)
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...names], {
      cwd: folder,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    })
  return folder
}

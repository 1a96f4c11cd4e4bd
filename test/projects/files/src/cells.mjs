// Records agents that work on a folder outside the project, fills it with other files, and holds the goldens in every runner, on the Nodes that
// NODES names and from two bundles. In the end the folder has to be as it was.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

process.env.FILES_FOLDER = mkdtempSync(path.join(realpathSync(tmpdir()), 'files-of-an-agent-'))
const { fillFolder, readFolder } = await import('./folder.mjs')

const bundles = { 'out/file-agents.mjs': 'esm', 'out/file-agents.cjs': 'cjs' }
const requires = '--banner:js=import { createRequire as require2 } from "node:module"; const require = require2(import.meta.url)'
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const replay = ['node_modules/goldenrun/dist/cli.js', 'replay']
for (const [file, format] of Object.entries(bundles)) {
  const own = format === 'esm' ? [requires] : ['--define:import.meta.url=__filename']
  const options = ['--bundle', '--platform=node', '--minify', '--log-level=error', `--format=${format}`, `--outfile=${file}`]
  execFileSync('node_modules/.bin/esbuild', ['src/file-agents.mjs', ...options, ...own])
}

const cells = {
  'goldenrun replay': [replay],
  'goldenrun replay, esm': [replay, { agents: 'out/file-agents.mjs' }],
  'goldenrun replay, cjs': [replay, { agents: 'out/file-agents.cjs' }],
  'Vitest, forks': [[...vitest, '--pool', 'forks']],
  'Vitest, threads': [[...vitest, '--pool', 'threads']],
  'Vitest, vmForks': [[...vitest, '--pool', 'vmForks']],
  'Vitest, vmThreads': [[...vitest, '--pool', 'vmThreads']],
  'Jest, modules': [jest],
  'Jest, CommonJS': [jest.slice(2), { agents: 'out/file-agents.cjs' }],
  ...Object.fromEntries(
    Object.entries(JSON.parse(process.env.NODES ?? '{}')).map(([version, node]) => [
      `goldenrun replay, Node ${version}`,
      [replay, { node }],
    ]),
  ),
}
/** What a run comes to does not depend on what it was recorded from, so not everything is tried with everything. */
const recordings = {
  'src/file-agents.mjs': Object.keys(cells),
  'out/file-agents.mjs': ['goldenrun replay, esm', 'Vitest, vmThreads', 'Jest, modules'],
  'out/file-agents.cjs': ['goldenrun replay, cjs', 'Vitest, vmForks', 'Jest, CommonJS'],
}
for (const [recordedFrom, names] of Object.entries(recordings)) {
  console.log(run(['src/record.mjs', recordedFrom]).output.trim())
  console.log(`  of ${recordedFrom}`)
  fillFolder('99')
  const before = readFolder()
  for (const name of names) hold(name, ...cells[name])
  console.log(`  the folder is as it was: ${readFolder() === before ? 'yes' : 'no'}`)
}
// As on a machine that has no such folder.
rmSync(process.env.FILES_FOLDER, { recursive: true })
hold('goldenrun replay without the folder', replay)

function hold(cell, command, { agents = 'src/file-agents.mjs', node } = {}) {
  const { status, output } = run(command, { FILE_AGENTS: `./${agents}` }, node)
  const [, count] = /(\d+) held/.exec(output) ?? []
  console.log(`  ${cell}: ${status === 0 && count !== undefined ? `${count} held` : output}`)
}

function run(command, env = {}, node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, command, {
    encoding: 'utf8',
    timeout: 400_000,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  return { status, output: stdout + stderr }
}

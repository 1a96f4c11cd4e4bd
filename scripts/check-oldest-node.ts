/**
 * Loads what is built on the oldest Node that package.json names: the command line, and each entry that needs no test runner. Sources are run
 * on a newer one, whose syntax (`using`) the oldest may not know.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readLibraryEntries } from './entries.ts'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
const [major = '', minor = '0'] = engines.node.replace('>=', '').split('.')
const script = 'console.log(process.execPath)'
const node = execFileSync('npx', ['--yes', '--package', `node@${major}.${minor}.0`, 'node', '--eval', script], { encoding: 'utf8' }).trim()

const entries = Object.keys(readLibraryEntries()).filter((name) => !/^(?:vitest|jest)(?:$|\/)/.test(name))
const imports = entries.map((name) => `await import('./dist/${name}.js')`).join('\n')
const runs = [
  ['dist/cli.js', '--version'],
  ['--input-type=module', '--eval', `${imports}\nprocess.exit(0)`],
]
for (const args of runs) {
  const { status, stderr } = spawnSync(node, args, { encoding: 'utf8' })
  if (status === 0) continue
  console.error(`On Node ${major}.${minor}.0, node ${args.join(' ')} ends with ${String(status)}:\n${stderr}`)
  process.exitCode = 1
}

/**
 * Loads the build on the oldest Node that package.json names: the command line, and each entry that needs no test runner. Also loads what agents'
 * programs load on a Node that is too old to record, where agents have to run all the same. This script runs on a newer Node, because old ones may not know
 * its syntax (`using`).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readLibraryEntries } from './entries.ts'

/** Runs agents without recording them. */
const TOO_OLD = '18.20.8'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
const [major = '', minor = '0'] = engines.node.replace('>=', '').split('.')

const entries = Object.keys(readLibraryEntries()).filter((name) => !/^(?:vitest|jest)(?:$|\/)/.test(name))
checkRuns(`${major}.${minor}.0`, [['dist/cli.js', '--version'], loading(entries)])
checkRuns(TOO_OLD, [loading(['index', 'register'])])

function loading(names: readonly string[]): readonly string[] {
  const imports = names.map((name) => `await import('./dist/${name}.js')`).join('\n')
  return ['--input-type=module', '--eval', `${imports}\nprocess.exit(0)`]
}

function checkRuns(version: string, runs: readonly (readonly string[])[]): void {
  const script = 'console.log(process.execPath)'
  const node = execFileSync('npx', ['--yes', '--package', `node@${version}`, 'node', '--eval', script], { encoding: 'utf8' }).trim()
  for (const args of runs) {
    const { status, stderr } = spawnSync(node, args, { encoding: 'utf8' })
    if (status === 0) continue
    console.error(`On Node ${version}, node ${args.join(' ')} ends with ${String(status)}:\n${stderr}`)
    process.exitCode = 1
  }
}

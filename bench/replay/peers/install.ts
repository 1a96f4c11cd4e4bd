import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The modules of the peers, by their role. In variables, so that their types are not needed where they are not installed. */
export const PEER_PACKAGES: Readonly<Record<'aimock' | 'nock' | 'polly' | 'pollyAdapter' | 'pollyPersister' | 'vitestEvals', string>> = {
  aimock: '@copilotkit/aimock',
  nock: 'nock',
  polly: '@pollyjs/core',
  pollyAdapter: '@pollyjs/adapter-fetch',
  pollyPersister: '@pollyjs/persister',
  vitestEvals: 'vitest-evals',
}

const BENCH = new URL('../../', import.meta.url)

/**
 * Installs the packages that the bench compares with, from its own lock file into its own `node_modules`, unless they are there in the
 * required versions.
 *
 * @returns Why they could not be installed; undefined if they are there.
 */
export function installPeers(note: (line: string) => void): string | undefined {
  const { dependencies } = readPackage(BENCH) as { dependencies: Record<string, string> }
  // An alias has the form `npm:name@version`.
  const isThere = ([name, wanted]: [string, string]): boolean => versionOf(name) === wanted.slice(wanted.lastIndexOf('@') + 1)
  if (Object.entries(dependencies).every(isThere)) return undefined
  note('Installing what to measure against into bench/node_modules.')
  // One of them needs a runner as a peer, but not for what is used of it. npm's output must not end up in the JSON. A shell finds npm on Windows too.
  const { status, stderr } = spawnSync('npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error', {
    cwd: fileURLToPath(BENCH),
    shell: true,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status === 0) return undefined
  const [said = 'npm printed nothing'] = stderr.split('\n').filter((line) => line.startsWith('npm error'))
  return `could not be installed: ${said}`
}

/** Returns the installed version of a peer; undefined if it is not installed. */
export function versionOf(name: string): string | undefined {
  try {
    return (readPackage(new URL(`node_modules/${name}/`, BENCH)) as { version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readPackage(folder: URL): unknown {
  return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
}

import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Service, startMariadb, startPostgres, startRedis } from '../../test/support/services.ts'
import type { TestFile } from './run-test-file.ts'

/** The tests of a driver. */
export interface Suite {
  /** The prefix of the names of the driver's steps. */
  readonly driver: string
  /** The folder of the driver's package in the checkout. */
  readonly folder: string
  /** Starts the server that the tests need. */
  start(): Promise<Service>
  /** Returns the variables that tell the tests where the server is. */
  environment(port: number): Record<string, string>
  /** What the files do not include, as a sentence. */
  readonly without?: string
  /** Why files differ or fail, by their names. */
  readonly explained?: Readonly<Record<string, string>>
  /** The files of a checkout, in order. */
  files(checkout: string): TestFile[]
}

const largeValues =
  'one of its tests writes and reads 600 values of 1 MB at once. Where many programs share two cores, it runs out of its 60 s without recording, too'

/** The suites that can be run, by the driver's name. */
export const suites: Readonly<Record<string, Suite>> = {
  pg: {
    driver: 'pg',
    folder: 'packages/pg',
    start: startPostgres,
    explained: {
      'packages/pg/test/integration/gh-issues/1105-tests.js':
        "its one test asks 5,000 queries, for which pg's runner gives it 5 s. Where many programs share two cores, it runs out of them, recorded sooner than not. With 60 s it passes both ways (2 of 2)",
    },
    environment: (port) => ({
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'postgres',
      PGPASSWORD: 'postgres',
      PGDATABASE: 'postgres',
      PGTESTNOSSL: 'true',
    }),
    files: (checkout) => [
      ...list(checkout, 'packages/pg', 'test/{unit,integration}/**/*-tests.js').map(alone),
      ...list(checkout, 'packages/pg-pool', 'test/*.js').map(mocha()),
      ...list(checkout, 'packages/pg-cursor', 'test/*.js').map(mocha()),
      ...list(checkout, 'packages/pg-query-stream', 'test/*.ts').map(mocha('--require', 'ts-node/register/transpile-only')),
    ],
  },
  ioredis: {
    driver: 'ioredis',
    folder: '',
    start: () => startRedis(6379),
    environment: () => ({ NODE_ENV: 'test' }),
    without:
      'Not among them are `test/cluster`, which needs a cluster of six servers in Docker, `test/scenario`, which needs Redis Enterprise with a service that breaks it, and `test/typing`, which is compiled only. Tests of clusters and sentinels in the other folders bring servers of their own, and are run',
    explained: {
      'compiled/test/functional/autopipelining.js': largeValues,
      'compiled/test/functional/cluster/autopipelining.js': largeValues,
    },
    files: (checkout) =>
      list(checkout, 'compiled', 'test/{unit,functional}/**/*.js').map(
        mocha(...globSync('test/helpers/*.js', { cwd: path.join(checkout, 'compiled') }).flatMap((file) => ['--file', file])),
      ),
  },
  mysql2: {
    driver: 'mysql2',
    folder: '',
    start: startMariadb,
    environment: (port) => ({ MYSQL_HOST: '127.0.0.1', MYSQL_PORT: String(port), MYSQL_USER: 'agent', MYSQL_DATABASE: 'test' }),
    files: (checkout) => list(checkout, '', 'test/{unit,integration}/**/*.test.mts').map(withTsx),
  },
}

type Found = Pick<TestFile, 'name' | 'directory'> & { readonly checkout: string; readonly file: string }

function list(checkout: string, directory: string, pattern: string): Found[] {
  const own = path.join(checkout, directory)
  return globSync(pattern, { cwd: own })
    .toSorted()
    .map((file) => ({ name: path.join(directory, file), directory: own, checkout, file }))
}

/** A file that is a program and prints a line for each of its tests. */
function alone({ name, directory, file }: Found): TestFile {
  return { name, directory, args: [file], runner: 'program' }
}

/** Runs a file as poku does. */
function withTsx({ name, directory, checkout, file }: Found): TestFile {
  return {
    name,
    directory,
    args: ['--import', pathToFileURL(path.join(checkout, 'node_modules/tsx/dist/loader.mjs')).href, file],
    runner: 'program',
  }
}

/** The time limit of a test that sets none. Mocha's 2 s are too short while other programs run. */
const timeLimit = ['--timeout', '60000']

function mocha(...options: readonly string[]): (found: Found) => TestFile {
  return ({ name, directory, checkout, file }) => ({
    name,
    directory,
    args: [path.join(checkout, 'node_modules/mocha/bin/mocha.js'), '--no-experimental-strip-types', ...timeLimit, ...options, file],
    runner: 'mocha',
  })
}

import { execSync } from 'node:child_process'
import { describeProject } from '../support/describe-project.ts'

const yarn = 'npx --yes --loglevel=error --package @yarnpkg/cli-dist@4.18.1 yarn'

// Plug'n'Play: there is no node_modules.
describeProject('yarn-pnp', {
  install: [`${yarn} install --immutable`, `${yarn} add --dev "goldenrun@file:<tarball>"`],
  // Yarn asks a registry of its own, unless told which one npm asks.
  env: { YARN_NPM_REGISTRY_SERVER: execSync('npm config get registry --loglevel=error', { encoding: 'utf8' }).trim() },
  runs: {
    'tells what it tells where npm installed it': {
      command: `${yarn} test`,
      status: 1,
      expected: '../vitest-5/expected-output.txt',
      exec: 'yarn run',
    },
  },
})

/** A project of a shape that users have, before goldenrun is in it. */
export interface Shape {
  readonly runner: 'vitest' | 'jest'
  /** Its files, beside the agent and its prompt. */
  readonly files: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** What else `package.json` holds. */
  readonly manifest?: Readonly<Record<string, unknown>>
  /** Default: npm. */
  readonly packageManager?: 'npm' | 'pnpm' | 'yarn'
  /** Where its package is, from the top. Default: at the top. */
  readonly folder?: string
  /** In which language, and which modules, the agent is written. Default: `ts`. */
  readonly agent?: 'ts' | 'esm' | 'cjs'
}

const versions = {
  vitest: '5.1.1',
  jest: '30.5.2',
  typescript: '5.9.3',
  '@types/node': '24.19.2',
  '@types/jest': '30.0.0',
  '@babel/core': '8.1.2',
  '@babel/preset-env': '8.0.7',
  '@babel/preset-typescript': '8.0.7',
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  'ts-jest': '29.4.15',
  msw: '3.0.5',
} as const

const pick = (...names: (keyof typeof versions)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, versions[name]]))

const module = { type: 'module' }
const nativeModules = { ...module, scripts: { test: 'NODE_OPTIONS=--experimental-vm-modules jest' } }

const tsconfig = (options: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ compilerOptions: { target: 'es2022', strict: true, types: ['node'], skipLibCheck: true, ...options } })

const babel = (modules: string): string =>
  `module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' }, modules: ${modules} }], '@babel/preset-typescript'] }\n`

const swc = (type: string): string =>
  `{ '^.+\\\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: '${type}' } }] }`

const mswSetup = (imports: string): string => `import { afterAll, beforeAll } from 'vitest'
${imports}
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: process.env['GOLDENRUN'] === 'record' ? 'bypass' : 'error' }))
afterAll(() => server.close())
`

const vitestWith = (test: string): string => `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { ${test} },
})
`

const server = `import { createServer } from 'node:http'
import { supportAgent } from './agent'

createServer((_request, response) => {
  void supportAgent({ ticket: 'Where is my order?' }).then(({ reply }) => response.end(reply))
}).listen(0)
`

/** The shapes that goldenrun is to reach green in, by their names. */
export const shapes: Readonly<Record<string, Shape>> = {
  'vitest 5': {
    runner: 'vitest',
    manifest: module,
    files: { 'tsconfig.json': tsconfig({ module: 'nodenext' }) },
    devDependencies: pick('vitest'),
  },
  'vitest 4.1': { runner: 'vitest', manifest: module, files: {}, devDependencies: { vitest: '4.1.12' } },
  'jest, CommonJS, babel': {
    runner: 'jest',
    files: { 'babel.config.js': babel("'auto'") },
    devDependencies: pick('jest', '@babel/core', '@babel/preset-env', '@babel/preset-typescript'),
  },
  'jest, CommonJS, swc, in package.json': {
    runner: 'jest',
    manifest: {
      jest: {
        testMatch: ['**/test/**/*.test.ts'],
        transform: { [String.raw`^.+\.ts$`]: ['@swc/jest', { jsc: { parser: { syntax: 'typescript' } } }] },
      },
    },
    files: {},
    devDependencies: pick('jest', '@swc/core', '@swc/jest'),
  },
  'jest, CommonJS, ts-jest, node10, jest.config.ts': {
    runner: 'jest',
    files: {
      'jest.config.ts':
        "import type { Config } from 'jest'\n\nconst config: Config = { preset: 'ts-jest', testEnvironment: 'node' }\n\nexport default config\n",
      'tsconfig.json': tsconfig({ module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }),
    },
    devDependencies: pick('jest', 'ts-jest', 'typescript', '@types/node', '@types/jest'),
  },
  'jest, modules, babel': {
    runner: 'jest',
    manifest: nativeModules,
    files: { 'babel.config.cjs': babel('false'), 'jest.config.js': "export default { extensionsToTreatAsEsm: ['.ts'] }\n" },
    devDependencies: pick('jest', '@babel/core', '@babel/preset-env', '@babel/preset-typescript'),
  },
  'jest, modules, swc': {
    runner: 'jest',
    manifest: nativeModules,
    files: { 'jest.config.js': `export default {\n  extensionsToTreatAsEsm: ['.ts'],\n  transform: ${swc('es6')},\n}\n` },
    devDependencies: pick('jest', '@swc/core', '@swc/jest'),
  },
  'jest, modules, ts-jest': {
    runner: 'jest',
    manifest: nativeModules,
    files: {
      'jest.config.js':
        "export default {\n  extensionsToTreatAsEsm: ['.ts'],\n  transform: { '^.+\\\\.ts$': ['ts-jest', { useESM: true }] },\n};\n",
      'tsconfig.json': tsconfig({ module: 'esnext', moduleResolution: 'bundler', isolatedModules: true }),
    },
    devDependencies: pick('jest', 'ts-jest', 'typescript', '@types/node'),
  },
  'jest, JavaScript only': { runner: 'jest', agent: 'cjs', files: {}, devDependencies: pick('jest') },
  'jest, a config that cannot be edited': {
    runner: 'jest',
    files: {
      'babel.config.js': babel("'auto'"),
      'jest.config.js': "const base = { verbose: false }\nmodule.exports = base\nmodule.exports.testEnvironment = 'node'\n",
    },
    devDependencies: pick('jest', '@babel/core', '@babel/preset-env', '@babel/preset-typescript'),
  },
  'pnpm workspace': {
    runner: 'vitest',
    packageManager: 'pnpm',
    folder: 'packages/support',
    manifest: module,
    files: { 'package.json': '{ "name": "top", "private": true }', 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
    devDependencies: pick('vitest'),
  },
  "yarn Plug'n'Play": {
    runner: 'vitest',
    packageManager: 'yarn',
    manifest: module,
    files: { '.yarnrc.yml': 'nodeLinker: pnp\nenableGlobalCache: true\nenableTelemetry: false\n', 'yarn.lock': '' },
    devDependencies: { ...pick('vitest'), vite: '8.3.8' },
  },
  'a server run by tsx': {
    runner: 'vitest',
    manifest: module,
    files: { 'src/server.ts': server, 'tsconfig.json': tsconfig({ module: 'esnext', moduleResolution: 'bundler' }) },
    devDependencies: { ...pick('vitest', 'typescript', '@types/node'), tsx: '^4.20.0' },
  },
  'Next, app router': {
    runner: 'jest',
    files: {
      'jest.config.js': "const nextJest = require('next/jest')\n\nmodule.exports = nextJest({ dir: './' })({ testEnvironment: 'node' })\n",
      'app/layout.js': 'export default function Layout({ children }) {\n  return children\n}\n',
      'app/api/route.js':
        "import { supportAgent } from '../../src/agent'\n\nexport const POST = async (request) => Response.json(await supportAgent(await request.json()))\n",
    },
    devDependencies: { ...pick('jest'), next: '^16.4.6', react: '^19.3.1', 'react-dom': '^19.3.1' },
  },
  'a server bundled by esbuild': {
    runner: 'vitest',
    manifest: { scripts: { build: 'esbuild src/server.ts --bundle --platform=node --outfile=dist/server.js', test: 'vitest' } },
    files: { 'src/server.ts': server },
    devDependencies: { ...pick('vitest'), esbuild: '*' },
  },
  jsdom: {
    runner: 'vitest',
    manifest: module,
    files: {
      'vitest.config.ts': vitestWith("environment: 'jsdom'"),
      'test/page.test.ts':
        "import { expect, it } from 'vitest'\n\nit('has a document', () => expect(document.body.tagName).toBe('BODY'))\n",
    },
    devDependencies: { ...pick('vitest'), jsdom: '^31.0.1' },
  },
  'msw 2': {
    runner: 'vitest',
    manifest: module,
    files: {
      'vitest.config.ts': vitestWith("setupFiles: ['./test/setup.ts']"),
      'test/setup.ts': mswSetup("import { setupServer } from 'msw/node'"),
    },
    devDependencies: { ...pick('vitest'), msw: '^2.9.0' },
  },
  'msw 3': {
    runner: 'vitest',
    manifest: module,
    files: {
      'vitest.config.ts': vitestWith("setupFiles: ['./test/setup.ts']"),
      'test/setup.ts': mswSetup("import { setupServer } from 'msw/node'"),
    },
    devDependencies: pick('vitest', 'msw'),
  },
}

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { AGENT_FILES, PROJECT_FILES } from '../../examples/demo/project-files.ts'
import { codeBlocks, README } from './readme.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

it('shows code that compiles, as does the demo', () => {
  const blocks = codeBlocks('ts').map((text) => [/^\/\/ (\S+\.ts)\n/.exec(text)?.[1], text] as const)
  expect(blocks.map(([file]) => file)).toEqual(['src/server.ts', 'test/support.test.ts', 'src/orders.ts'])
  const folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-test-'))
  try {
    for (const [file, text] of [...Object.entries(PROJECT_FILES), ...blocks]) write(path.join(folder, file ?? ''), text)
    for (const [from, to] of Object.entries(AGENT_FILES)) {
      const agent = readFileSync(path.join(REPOSITORY, 'examples/support-agent', from), 'utf8')
      write(path.join(folder, 'src', to), agent)
    }
    symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
    const compilerOptions = { declaration: false, isolatedDeclarations: false }
    write(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: path.join(REPOSITORY, 'tsconfig.json'), compilerOptions, include: ['src', 'test'] }),
    )
    const { stdout, status } = spawnSync(`tsc -p "${folder}"`, { encoding: 'utf8', shell: true })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('names files that are there', () => {
  const links = [...README.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target ?? '').filter((target) => !target.startsWith('http'))
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((target) => !existsSync(path.join(REPOSITORY, target)))).toEqual([])
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

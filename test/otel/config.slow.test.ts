import { expect, it } from 'vitest'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

const CONFIG = `import { appendFileSync } from 'node:fs'
import { defineConfig } from 'goldenrun/config'
import { otel } from 'goldenrun/otel'

const write = (...told: unknown[]): void => appendFileSync('told.jsonl', JSON.stringify(told) + '\\n')
const span = {
  spanContext: () => ({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 }),
  isRecording: () => true,
  setAttribute: (name: string, value: unknown) => (write(name, value), span),
  setAttributes: () => span,
  addEvent: (name: string, attributes: object) => (write(name, attributes), span),
  setStatus: () => span,
  end: () => write('end'),
}
const tracerProvider = { getTracer: () => ({ startSpan: (name: string) => (write(name), span) }) } as never

export default defineConfig({
  agents: { support: './src/agent.ts#supportAgent' },
  replay: { telemetry: otel({ tracerProvider }) },
})
`

it('tells of the goldens that commands and the plugin replay, where the config says so', async () => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project({ ...(await supportProject()), 'goldenrun.config.ts': CONFIG, 'told.jsonl': '' })
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const told = async (): Promise<unknown[]> => {
    const lines = (await project.read('told.jsonl')).split('\n').filter((line) => line !== '')
    await project.write('told.jsonl', '')
    return lines.map((line) => JSON.parse(line) as unknown)
  }
  const divergence = { 'replay.divergence': true, 'replay.cause': 'input', 'replay.step': 1, 'code.file.path': 'src/agent.ts' }
  const expected = [
    ['invoke_agent support'],
    ['replay.capture_uri', expect.stringMatching(/cancel-unshipped(\.jsonl)?$/)],
    ['replay.divergence', expect.objectContaining(divergence)],
    ['end'],
  ]
  expect((await project.goldenrun(['replay', 'cancel-unshipped'])).status).toBe(1)
  expect(await told()).toEqual(expected)
  expect((await project.vitest(['run', 'golden-traces/cancel-unshipped.jsonl'])).status).toBe(1)
  expect((await told()).slice(0, 4)).toEqual(expected)
}, 120_000)

import { spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'

it('ends with an agent that waits for what a refused contact would have brought', async () => {
  const { trace } = await recordRun(async () => 'done')
  const waits: (() => Promise<unknown>)[] = [
    () =>
      once(
        dgram.createSocket('udp4').on('error', () => undefined),
        'listening',
      ),
    async () => {
      const socket = dgram.createSocket('udp4')
      socket.send('hello', 1, '127.0.0.1', () => undefined)
      await new Promise((resolve) => socket.on('message', resolve))
    },
    async () => {
      const child = spawn('git')
      child.on('error', () => undefined)
      await new Promise((resolve) => child.on('exit', resolve))
    },
    async () => {
      const socket = net.connect(1, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.on('data', resolve))
    },
  ]
  for (const wait of waits) {
    for (const onDivergence of ['stop', 'continue'] as const) {
      const run = await replay(trace, wait, { onDivergence })
      expect(run.outcome.status).toBe('stopped')
    }
  }
})

import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { rowsOf, startRecorder } from '../../support/record-run.ts'
import { watch } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen } from './listen.ts'

it.each(clients)('notes and refuses what is sent by %s over a connection of before the recorder', async (_name, open) => {
  const server = await listen(echo, { perMessageDeflate: { threshold: 0 } })
  const { client, next } = watch(open(server.url))
  await next('open')
  const ask = (text: string) => async (): Promise<void> => {
    const answer = next('message')
    client.send(text)
    await answer
  }
  await ask('before')()
  {
    await using recorder = await startRecorder()
    for (const text of ['one', 'two', 'three']) {
      const { trace } = await recorder.record(ask(text))
      expect(rowsOf(trace, 'note')).toMatchObject([
        { what: 'unrecorded-contact', where: expect.stringContaining('unfollowed.test.ts') as string },
      ])
    }
    const { trace } = await recorder.record(() => 'nothing')
    const heard = server.heard.length
    const run = await replay(trace, ask('evil'))
    expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact' }])
    expect(server.heard.length).toBe(heard)
  }
  await server.stop()
})

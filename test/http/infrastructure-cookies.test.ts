import { expect, it } from 'vitest'
import { infrastructureCookies } from '../../src/http/infrastructure-cookies.ts'
import type { HttpInput, HttpOutput } from '../../src/trace/rows.ts'
import { readPage } from '../docs/pages.ts'
import { listen } from '../../examples/world/listen.ts'
import { recordBeside } from '../support/record-beside.ts'
import { replay } from '../../src/replay/replay.ts'

it('is the table in docs/doors.md', () => {
  const { text } = readPage('docs/doors.md')
  for (const { names, setBy } of infrastructureCookies) {
    expect(text).toContain(`| ${names.map((name) => `\`${name}\``).join(', ')} | ${setBy} |`)
  }
})

it("keeps a program's cookies, and not those of what stands in front of the service", async () => {
  let count = 0
  await using service = await listen(async (request, response) => {
    for await (const _ of request);
    count += 1
    const own = request.headers.cookie?.includes('sid=') === true ? [] : ['sid=s3cr3t-of-ann; Path=/; HttpOnly']
    response.setHeader('set-cookie', [`__cf_bm=robot-${count}-a1b2c3; Path=/`, ...own, `visid_incap_77=incap-${count}-d4e5f6; Path=/`])
    response.end('ok')
  })
  const agent = async (): Promise<number> => {
    const jar = new Map<string, string>()
    let status = 0
    for (let call = 0; call < 3; call += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(service.url, cookie === '' ? {} : { headers: { cookie } })
      for (const set of response.headers.getSetCookie()) jar.set(set.slice(0, set.indexOf('=')), /=([^;]*)/.exec(set)?.[1] ?? '')
      status = response.status
    }
    return status
  }
  const { trace, text } = await recordBeside(agent)
  expect(text).not.toMatch(/robot-\d|incap-\d|s3cr3t/)
  const [first, second] = trace.steps.map(({ input, output }) => ({ input: input as HttpInput, output: output as HttpOutput }))
  expect(first?.output.headers?.filter(([name]) => name === 'set-cookie')).toEqual([
    ['set-cookie', expect.stringMatching(/^sid=\S+; Path=\/; HttpOnly$/)],
  ])
  expect(second?.input.headers).toEqual([['cookie', 'sid=[credential]']])
  const { divergences, outcome } = await replay(trace, agent)
  expect([divergences, outcome]).toEqual([[], { status: 'returned', output: 200 }])
})

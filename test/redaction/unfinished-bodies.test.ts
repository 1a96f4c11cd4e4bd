import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { recordRun } from '../support/record-run.ts'

const secret = 'h7vw5Z7xeAFVsbfM'
const statement = `INSERT INTO users (name, password) VALUES ('a', '${secret}');`

const bodies: readonly (readonly [what: string, type: string, body: string])[] = [
  ['a statement', 'text/plain', statement],
  ['a statement that is said to be JSON', 'application/json', statement],
  ['a statement of several lines', 'text/plain', `INSERT INTO users\n  (name,\n  password)\nVALUES\n  ('a', '${secret}');`],
  ['a statement behind other lines, before other words', 'text/plain', `one\ntwo\n${statement} and more`],
  ['a line of .netrc', 'text/plain', `machine h login a password ${secret}`],
  ['a line of .netrc behind another', 'text/csv', `machine g login a password short\nmachine h login a password ${secret}`],
]

const world = await listen(async (request, response) => {
  const [, type = '', body = ''] = bodies[Number(request.url?.slice(1))] ?? []
  response.setHeader('content-type', type)
  response.end(body)
})
afterAll(() => world.close())

it.each(bodies.map(([what], index) => ({ what, index })))(
  'redacts the last line of a body by what stands before its secret: $what',
  async ({ index }) => {
    const { trace } = await recordRun(async () => {
      const response = await fetch(`${world.url}/${index}`)
      return (await response.text()).length
    })
    expect(JSON.stringify(trace)).not.toContain(secret)
  },
)

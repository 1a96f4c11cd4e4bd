import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'

const tell = external('tell', async (said: unknown) => said)

it.each([
  ['an error', 'correct horse', true],
  ['an error, of a plain word', 'horse', true],
  ['an output', 'correct horse', false],
])('takes out of %s what was taken out of its input, and of what follows', async (_, password, fails) => {
  const login = external('login', async (given: { readonly password: string }) => {
    const said = `near '${given.password}' at line 1`
    if (fails) throw Object.assign(new Error(said), { detail: { said } })
    return { said }
  })
  const agent = async (): Promise<unknown> => {
    const said = await login({ password }).then(
      (output) => output.said,
      ({ message }: Error) => message,
    )
    await tell(said)
    // A constant of the agent's own.
    await tell(`It was ${password}.`)
    return said
  }
  const { trace, text } = await recordRun(agent)
  expect(text).not.toContain('horse')
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  const other = await replay(trace, async () => {
    await agent()
    await tell('more')
  })
  expect(other.divergences).not.toEqual([])
})

it('leaves an output with a plain word as it is', async () => {
  const login = external('login', async (given: { readonly password: string }) => ({ role: given.password }))
  const { text } = await recordRun(async () => await login({ password: 'admin' }))
  expect(text).toContain('"role":"admin"')
})

it('leaves what nothing came back of as it is', async () => {
  const login = external('login', async (_given: { readonly password: string }) => 'done')
  const { text } = await recordRun(async () => {
    await login({ password: 'correct horse' })
    return await tell('correct horse')
  })
  expect(text).toContain('correct horse')
})

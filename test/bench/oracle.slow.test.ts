import { expect, it } from 'vitest'
import { checkDeclarations } from '../../bench/verdicts/check-declarations.ts'
import { after, at, benign, harmful, type Mutation } from '../../bench/verdicts/mutations/mutation.ts'
import { last, nth } from '../../bench/verdicts/mutations/places.ts'
import { printLog } from '../../bench/verdicts/oracle/print-log.ts'
import type { RecordedScene } from '../../bench/verdicts/record-scenes.ts'
import { startWorldServer } from '../../bench/verdicts/world/world-server.ts'
import { pay, post, type SmallAgent } from './small-agents.ts'

it('ends the bench where a declaration is not what the world sees', async () => {
  await using server = await startWorldServer()
  const world = server.open(() => ({ value: {} }))
  const log = await world.watch(() => pay(null, world.context))
  const scene = {
    name: 'paid',
    input: null,
    createScript: () => () => ({ value: {} }),
    calls: log.calls,
    printed: printLog(log),
  } as unknown as RecordedScene
  const check = (agent: SmallAgent, mutation: Mutation): Promise<void> => checkDeclarations(server, [scene], [{ agent, mutation }])
  const late: SmallAgent = async (input, context) => {
    const output = await pay(input, context)
    setTimeout(() => void post(context, 'payments', {}), 10)
    return output
  }
  await expect(check(pay, benign('none', 'unchanged'))).resolves.toBe(undefined)
  await expect(check(late, harmful('late', 'paid again', after(last(), 'unexpected-call')))).resolves.toBe(undefined)
  await expect(check(pay, harmful('none', 'unchanged', at(nth('POST /ledger'), 'input')))).rejects.toThrow(
    'none, unchanged, in paid: declared harmful, but the world cannot tell',
  )
  await expect(check(late, benign('late', 'paid again'))).rejects.toThrow(
    'late, paid again, in paid: declared benign, but the world can tell: another was made after call 2',
  )
  await expect(check(late, harmful('late', 'paid again', after(nth('POST /payments'), 'unexpected-call')))).rejects.toThrow(
    'declared unexpected-call after call 1, but the world says: another was made after call 2',
  )
  await expect(check(late, harmful('late', 'paid again', at(nth('POST /ledger'), 'input')))).rejects.toThrow(
    'declared input at call 2, but the world says: another was made after call 2',
  )
})

import undici from 'undici'
import { beforeAll } from 'vitest'
import { keptAliveCases, setUpTransports, testKeptAlive } from '../../support/waiting-transports.ts'

beforeAll(() => {
  undici.setGlobalDispatcher(new undici.Agent({ connections: 1, pipelining: 1 }))
})

setUpTransports()

testKeptAlive(keptAliveCases.slice(1))

import { afterAll } from 'vitest'
import { pairs, server, testWholeResponses } from '../../support/whole-responses.ts'

afterAll(() => server.close())

testWholeResponses(pairs)

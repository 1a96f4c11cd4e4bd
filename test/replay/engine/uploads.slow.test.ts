import { afterAll } from 'vitest'
import { server, testUploads, uploads } from '../../support/uploads.ts'

afterAll(() => server.close())

testUploads(Object.entries(uploads))

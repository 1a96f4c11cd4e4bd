// Takes a lease on a directory, and dies with it.
import { writeSync } from 'node:fs'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'

const [directory = ''] = process.argv.slice(2)
if ((await createDirectoryStore(directory).lease('retention', 600_000)) !== undefined) writeSync(1, 'taken')
process.kill(process.pid, 'SIGKILL')

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees what nothing refers to any more. What is told of it (finalization registries) is told in later turns of the event loop. */
export const collectGarbage = runInNewContext('gc') as () => void

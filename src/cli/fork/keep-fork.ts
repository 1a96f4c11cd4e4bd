import { toWriteFailure } from '../../node/write-failure.ts'
import { toStore } from '../../stores/default-store.ts'
import { StoredRun } from '../../stores/stored-run.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { Trace } from '../../trace/trace.ts'

/** Keeps a fork among the recordings, where other commands find it. Returns its id. */
export async function keepFork({ header, rows }: Trace, where: string | TraceStore): Promise<string> {
  const { store, place } = toStore(where)
  try {
    const run = new StoredRun(store, header)
    for (const row of rows) run.write(row)
    run.flush()
    run.close()
    await store.flush?.()
    return header.id
  } catch (error) {
    throw toWriteFailure(`the fork to ${place} (to continue without saving it: --no-keep)`, error)
  }
}

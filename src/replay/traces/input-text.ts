import { withoutStandIns } from '../../divergence/stand-ins.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import { canonical } from '../../trace/hash.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'

/** The input of a run as a text that is equal for equal inputs. Each run numbers its stand-ins anew. */
export function inputText(trace: Trace): string {
  return withoutStandIns(canonical(toRecorded(trace.header.input ?? null)), standInsOf(trace))
}

import { noRules } from '../divergence/path-rules.ts'
import { RecordedSessions } from '../replay/answers/recorded-sessions.ts'
import { comparedHeadersOf } from '../replay/calls/compared-headers.ts'
import { ReplayRedaction } from '../replay/calls/replay-redaction.ts'
import { digest } from '../replay/traces/digest.ts'
import { addPreambles } from '../run/sessions.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { readTraceFileNow } from '../stores/read-trace-file.ts'
import { decodeTrace } from '../trace/read.ts'
import type { Trace } from '../trace/trace.ts'
import { orElse } from '../trace/or-else.ts'

/** The recorded sessions that answer sessions which a replaying process opens outside of runs. */
export interface KnownSessions {
  /** Adds the sessions of a trace that is not a golden of the project. */
  add(trace: Trace): void
  readonly release: () => void
}

/** Registers the sessions of the project's goldens in this process. The goldens are read once something opens that may be a session. */
export function knowSessions(): KnownSessions {
  const added: RecordedSessions[] = []
  let goldens: RecordedSessions[] | undefined
  const release = addPreambles((open) => [...(goldens ??= readGoldens()), ...added].flatMap((sessions) => sessions.preamblesOf(open)))
  return { add: (trace) => void added.push(sessionsOf(trace)), release }
}

function readGoldens(): RecordedSessions[] {
  const goldens = createGoldenDirectory()
  return goldens.listNow().flatMap((name) => {
    // An unreadable golden's own test reports it.
    return orElse(() => {
      const { text, file } = readTraceFileNow(goldens.fileOf(name))
      return text.includes('"kind":"preamble"') ? [sessionsOf(decodeTrace(text, file, digest))] : []
    }, [])
  })
}

function sessionsOf(trace: Trace): RecordedSessions {
  return new RecordedSessions(trace, {
    redaction: new ReplayRedaction(trace, undefined),
    rules: noRules,
    headers: comparedHeadersOf(trace),
  })
}

/** Texts, names and paths that a pull request may bring, and a project to bring them to. */

/** The rows of a golden of the agent of `PROJECT`, written by hand. */
export type Rows = [
  header: Record<string, unknown> & { golden: Record<string, unknown>; runtime: Record<string, unknown> },
  call: Record<string, unknown>,
  returned: Record<string, unknown>,
  end: Record<string, unknown>,
]

/** A project whose agent calls one tool and asks one address. */
export const PROJECT: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "hostile", "private": true, "type": "module" }\n',
  'goldenrun.config.js': `import { defineConfig } from 'goldenrun/config'
export default defineConfig({ agents: { support: './agent.js#agent' } })
`,
  'agent.js': `import { tool } from 'goldenrun'
const look = tool('look', { effect: 'read' }, async () => ({ ok: 1 }))
export async function agent({ text, url }) {
  const answer = await look({ q: text })
  if (url !== undefined) await fetch(url).catch(() => undefined)
  return { answer, said: typeof text === 'string' ? text.length : 0 }
}
`,
  'vitest.config.js': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [goldenrun()], test: { maxWorkers: 1, reporters: ['default'] } })
`,
}

/** Returns the text of a golden, changed. */
export function golden(name: string, change: (rows: Rows) => readonly unknown[] | void = () => undefined): string {
  const rows: Rows = [
    {
      kind: 'run',
      format: 3,
      id: '20261130-062920155-26b4dfac',
      traceId: 'e4af6c5eae771d2520311407790114d4',
      agent: 'support',
      input: { text: 'hi' },
      startedAt: '2026-11-30T06:29:20.155Z',
      runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {}, nodeEnv: null },
      contracts: { models: [], systemPrompts: [], tools: {} },
      fidelity: 'wire',
      redaction: { rules: [], standIns: 0 },
      golden: { name, expect: { replay: 'same' }, promotedAt: '2026-11-30T06:29:20.287Z', promotedFrom: '20261130-062920155-26b4dfac' },
    },
    { kind: 'call', step: 1, owner: 0, boundary: 'tool', name: 'look', effect: 'read', input: { q: 'hi' }, at: 0.4 },
    { kind: 'return', step: 1, at: 1.6, inTurn: true, output: { ok: 1 } },
    { kind: 'end', output: { answer: { ok: 1 }, said: 2 }, at: 2.7, usage: { inputTokens: 0, outputTokens: 0 } },
  ]
  const changed = change(rows) ?? rows
  return `${changed.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')}\n`
}

/** What GitHub, a terminal or a CI service would make more of than text. */
const HOSTILE: string = [
  'x',
  '::set-output name=status::0',
  '::add-mask::a',
  '##[error]e',
  '# heading',
  '- item',
  '[link](https://evil.example/l) ![image](https://evil.example/i.png) <img src="https://evil.example/j"> <https://evil.example/a>',
  'https://evil.example/auto www.evil.example _www.evil.example ftp://evil.example/f a@evil.example mailto:b@evil.example',
  '@octocat @org/team #123 GH-12 octo/repo#4 :octocat: $\\href{https://evil.example}{x}$ 0123456789abcdef0123456789abcdef01234567',
  '`code` **bold** ~~gone~~ | a | b |',
  '```',
  '</details><!-- ',
  '![image](https://evil.example/k.png)',
  '[ref]: https://evil.example/r',
  '\u001b[2J\u001b[31mred\u001b]8;;https://evil.example\u0007\u009b31m\u202e\u200b\u00ad\u3164',
].join('\n')

/** Goldens by their names, each with the hostile text in another place. */
export const HOSTILE_GOLDENS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['agent', ([header]) => void (header['agent'] = HOSTILE)],
      ['name', ([header, call]) => void ((header.golden['name'] = HOSTILE), (call['input'] = { q: 'other' }))],
      [
        'description',
        ([header, call]) => void (Object.assign(header.golden, { description: HOSTILE, expectedOutcome: HOSTILE }), (call['input'] = {})),
      ],
      [
        'tags',
        ([header, call]) => void (Object.assign(header, { tags: { [HOSTILE]: HOSTILE }, agentVersion: HOSTILE }), (call['input'] = {})),
      ],
      ['version', ([header]) => void ((header['format'] = 99), (header.runtime['goldenrun'] = HOSTILE))],
      ['node', ([header, call]) => void ((header.runtime['node'] = HOSTILE), (call['input'] = {}))],
      ['follows', ([header]) => void (header.golden['follows'] = HOSTILE)],
      ['step', ([, call]) => void (call['name'] = HOSTILE)],
      ['boundary', ([, call]) => void (call['boundary'] = HOSTILE)],
      ['field', ([, call]) => void (call[HOSTILE] = 1)],
      ['kind', ([, call]) => void (call['kind'] = HOSTILE)],
      ['line', ([header]) => [header, HOSTILE]],
      ['input', ([header]) => void (header['input'] = { text: HOSTILE })],
      ['arguments', ([, call]) => void (call['input'] = { [HOSTILE]: HOSTILE, q: HOSTILE })],
      ['answer', ([, , returned]) => void (returned['output'] = { [HOSTILE]: HOSTILE })],
      ['outcome', ([, , , end]) => void (end['output'] = { answer: HOSTILE })],
      [
        'error',
        ([header, call, , end]) => [header, call, { kind: 'throw', step: 1, at: 1.6, error: { name: HOSTILE, message: HOSTILE } }, end],
      ],
      [
        'checkpoint',
        ([header, call, returned, end]) => [
          header,
          call,
          returned,
          { kind: 'checkpoint', owner: 0, name: HOSTILE, state: HOSTILE, at: 2 },
          end,
        ],
      ],
      [
        'check',
        ([header]) =>
          void (header.golden['expect'] = { replay: 'departs', trigger: 1, at: 1, checks: [{ matcher: HOSTILE, args: [HOSTILE] }] }),
      ],
      [
        'incident',
        ([header, call]) => {
          header.golden['expect'] = {
            replay: 'departs',
            trigger: 'input',
            at: 1,
            checks: [{ matcher: 'toHaveCalledTool', args: [HOSTILE] }],
            answers: { [HOSTILE]: HOSTILE },
          }
          call['input'] = {}
        },
      ],
      [
        'model',
        ([, call]) => {
          const json = { model: HOSTILE, messages: [{ role: 'user', content: HOSTILE }] }
          Object.assign(call, {
            boundary: 'model',
            name: HOSTILE,
            input: { method: 'POST', url: 'https://evil.example/v1', headers: [], json },
          })
        },
      ],
    ] satisfies [string, (rows: Rows) => readonly unknown[] | void][]
  ).map(([name, change]) => [name, golden(name, change)]),
)

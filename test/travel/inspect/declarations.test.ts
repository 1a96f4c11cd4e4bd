import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { declarationsIn, notDeclaredYet } from '../../../src/travel/inspect/declarations.ts'

// A scope as V8 delimits it: `«` before it, `»` after it. The program is at `@`. After it stands what has no value there yet.

const scopes: readonly (readonly [source: string, expected: readonly string[]])[] = [
  ['for (;;) «{ @f(); const a = 1; let b = a }»', ['a', 'b']],
  ['for (;;) «{ const a = 1; @f(); let b = a }»', ['b']],
  ['for (;;) «{ const a = await @f(); let b = a }»', ['a', 'b']],
  ['for (;;) «{ const a = 1, b = @f(a), c = 2 }»', ['b', 'c']],
  ['for (;;) «{ const { a, b: [c = 1, ...d] = [], ...e } = x; @f() }»', []],
  ['for (;;) «{ @f(); const { a, b: [c = 1, ...d] = [], ...e } = x }»', ['a', 'c', 'd', 'e']],
  // Without semicolons.
  ['for (;;) «{\n const a = 1\n @f()\n const b = g\n (1)\n const c = a\n + 1\n }»', ['b', 'c']],
  ['for (;;) «{\n const b = g\n @(1)\n const c = a\n }»', ['b', 'c']],
  ['for (;;) «{\n const a = (x) => {\n const inner = 1 }\n @f(a)\n const s = `${{ q: "}" }.q} const z = 1`\n }»', ['s']],
  ['for (;;) «{\n let a\n @f(a)\n let b }»', ['b']],
  // Brackets and keywords in texts, templates, comments and regular expressions.
  ['for (;;) «{ const a = "{"; /* const z = 1 { */ const r = /[/{"]{2}/g; const t = `{${`}`}`; @f(); const b = 1 }»', ['b']],
  ['for (;;) «{ if (x) /{/.test(y); @f(); const a = 4 / 2 / 1 }»', ['a']],
  ['for (;;) «{ const o = { const: 1, let: 2 }.let; o.class; @f(); class A { m() { let q } } }»', ['A']],
  ['for (;;) «{ class A extends B {}\n @f()\n const b = class C {} }»', ['b']],
  ['for (;;) «{ const inner = () => { let q = 1; return q }; { let deeper = 1 } @f(); using file = open() }»', ['file']],
  ['for (;;) «{ @f(); await using file = open() }»', ['file']],
  ['for (;;) «{ @f(); function later() {} async function* also() {} const a = 1 }»', ['a']],
  // Functions: parameters and `var` are there from the beginning.
  ['async function g«(a, { b } = { b: 1 }, ...c) { var d; @f(); const e = 1 }»', ['e']],
  ['const g = «async ({ a }) => { @f(); const b = 1 }»', ['b']],
  ['const g = «a => @f(a)»', []],
  // Heads of loops.
  ['for («let i = 0, n = 3; i < @n(); i += 1) { const a = 1 }»', []],
  ['for («let i = @f(), n = 3; i < n; i += 1) {}»', ['i', 'n']],
  ['for («const a of xs) { @f(); const b = 1 }»', []],
  ['for («const { a, b } of @xs(a)) { const c = 1 }»', ['a', 'b']],
  ['for («const key in xs) @f()»', []],
  // The copy of a head's variables for one turn, which V8 makes where a function may keep them.
  ['for (let i = 0«; i < n; i += 1) { @f(() => i) }»', []],
  // A clause may be reached without the one before.
  ['«switch (x) { case 0: let a = 1; case 1: const b = 2; @f(); const c = 3; default: const d = 4 }»', ['a', 'c', 'd']],
]

it.each(scopes)('finds what is not declared yet: %s', (marked, expected) => {
  const source = marked.replaceAll(/[«»@]/g, '')
  const offsetOf = (mark: string): number => marked.slice(0, marked.indexOf(mark)).replaceAll(/[«»@]/g, '').length
  const found = declarationsIn(source, offsetOf('«'), offsetOf('»'))
  expect(found).toBeDefined()
  expect(found === undefined ? [] : notDeclaredYet(found, offsetOf('@'))).toEqual(expected)
})

it('says that the copy of a head for one turn has all its values', () => {
  const source = 'for (let i = 0; i < n; i += 1) { f(() => i) }'
  expect(declarationsIn(source, source.indexOf(';'), source.length)).toEqual({ declared: [], functions: [], isCopy: true })
})

it('agrees with the language about what has a value between statements', () => {
  const statements = [
    'let a = 1',
    'const b = [1, { c: 2 }]',
    'var x = /[{]/.test("{") ? `${a}` : (() => { let q; return q })()',
    'const { length: d, e = d } = "four"',
    'class F { static g = 1 }',
    'const h = a\n  + 1',
    'let i',
    'if (a) { const j = 1 } else /}/.exec("}")',
    'const k = function () { return {} }',
  ]
  const names = ['a', 'b', 'd', 'e', 'F', 'h', 'i', 'k']
  for (let place = 0; place <= statements.length; place += 1) {
    const lines = ['{', ...statements]
    const probe = `probe(${names.map((name) => `() => ${name}`).join(', ')})`
    lines.splice(place + 1, 0, probe)
    const source = `${lines.join('\n')}\n}`
    const unset: string[] = []
    runInNewContext(source, {
      probe: (...reads: (() => unknown)[]) => {
        for (const [index, read] of reads.entries()) {
          try {
            read()
          } catch {
            unset.push(names[index] ?? '')
          }
        }
      },
    })
    const found = declarationsIn(source, 0, source.length)
    expect(found === undefined ? [] : notDeclaredYet(found, source.indexOf('probe('))).toEqual(unset)
  }
})

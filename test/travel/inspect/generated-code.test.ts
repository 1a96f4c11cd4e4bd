import { expect, it } from 'vitest'
import { helpersIn, isMinified } from '../../../src/travel/inspect/generated-code.ts'

it('finds the helpers that a transpiler has put before a source, and no function of the source', () => {
  const source =
    "import { open } from './open.ts'\nfunction _own() { return 1 }\nexport async function agent() { await using file = open() }\n"
  const helper = 'function _usingCtx() { var r = "}", e = function (n) { return { n } }; return { e, r } }'
  const script = `"use strict";${helper}exports.agent = agent;function _own() { return 1 }\nasync function agent() {}\n`
  expect(helpersIn(script, source)).toEqual([{ line: 0, start: 13, end: 13 + helper.length }])
})

it('knows a minified line by its spaces', () => {
  const minified =
    'var n=class{constructor(r){this.owner=r}owner;#e=[];discount=5;async add(r){let e=await(await fetch("http://127.0.0.1:40777/orders/"+r)).json();return this.#e.push(e)}}'
  const written =
    "export async function many() { const out: number[] = []; for (let i = 0; i < 150; i++) { const r = await fetch(B + '/m' + i); out.push(r.status) } return out.length }"
  expect([isMinified(minified), isMinified(written), isMinified('a=1')]).toEqual([true, false, false])
})

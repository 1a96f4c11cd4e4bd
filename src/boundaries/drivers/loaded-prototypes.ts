import { requiredModules, type RequiredModule } from '../../node/required-modules.ts'

let known: { readonly modules: readonly RequiredModule[]; readonly prototypes: readonly object[] } | undefined

/** The prototypes of the exports of loaded modules, default and named. Returns the same list if no module was loaded since the last call. */
export function loadedPrototypes(): readonly object[] {
  const modules = requiredModules()
  if (known?.modules === modules) return known.prototypes
  known = { modules, prototypes: modules.flatMap(([, module]) => [...prototypesOf(module?.exports)]) }
  return known.prototypes
}

function* prototypesOf(exported: unknown): Generator<object> {
  if (typeof exported === 'function') yield* prototypeOf(exported)
  // The indices of bytes and arrays are not exports: a module of undici exports 48,000 bytes.
  if (typeof exported !== 'object' || exported === null || ArrayBuffer.isView(exported) || Array.isArray(exported)) return
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(exported)))
    if (typeof value === 'function') yield* prototypeOf(value)
}

function* prototypeOf(value: object): Generator<object> {
  const prototype: unknown = Object.getOwnPropertyDescriptor(value, 'prototype')?.value
  if (typeof prototype === 'object' && prototype !== null) yield prototype
}

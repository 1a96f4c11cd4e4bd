import { requiredModules } from '../../node/required-modules.ts'

/** The prototypes of what loaded modules export, by itself or by name. */
export function* loadedPrototypes(): Generator<object> {
  for (const [, module] of requiredModules()) {
    const exported: unknown = module?.exports
    if (typeof exported === 'function') yield* prototypeOf(exported)
    if (typeof exported !== 'object' || exported === null) continue
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(exported)))
      if (typeof value === 'function') yield* prototypeOf(value)
  }
}

function* prototypeOf(value: object): Generator<object> {
  const prototype: unknown = Object.getOwnPropertyDescriptor(value, 'prototype')?.value
  if (typeof prototype === 'object' && prototype !== null) yield prototype
}

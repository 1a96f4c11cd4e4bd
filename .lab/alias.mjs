import { registerHooks } from 'node:module'
registerHooks({ resolve(s,c,n){ const m=/^goldenrun(?:\/(\w+))?$/.exec(s); return m? n(new URL(`../src/${m[1]??'index'}.ts`, import.meta.url).href,c) : n(s,c) } })

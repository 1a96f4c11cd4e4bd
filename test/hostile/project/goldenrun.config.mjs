import { defineConfig } from 'goldenrun/config'
import * as agents from './agents.mjs'

export default defineConfig({ agents: Object.fromEntries(Object.keys(agents).map((name) => [name, `./agents.mjs#${name}`])) })

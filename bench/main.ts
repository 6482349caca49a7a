import { existsSync } from 'node:fs'

/**
 * `npm run bench -- send` runs bench/send.ts, which prints its results and the baseline that they are compared with. Further
 * arguments are passed to the benchmark: `npm run bench -- senders --quick`.
 */
const [name = ''] = process.argv.splice(2, 1)
const file = new URL(`${name}.ts`, import.meta.url)
if (!/^[a-z-]+$/.test(name) || name === 'main' || !existsSync(file)) {
	console.error('Which benchmark? For example: npm run bench -- send')
	process.exit(1)
}
await import(file.href)

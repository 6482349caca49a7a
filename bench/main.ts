import { existsSync } from 'node:fs'

/**
 * `npm run bench -- send` runs bench/send.ts, and `npm run bench -- senders` runs bench/senders/main.ts. A benchmark prints its
 * results and the baseline that they are compared with. Further arguments are passed to it: `npm run bench -- senders --quick`.
 */
const [name = ''] = process.argv.splice(2, 1)
const files = [`${name}.ts`, `${name}/main.ts`].map((path) => new URL(path, import.meta.url))
const file = files.find((url) => existsSync(url))
if (!/^[a-z-]+$/.test(name) || name === 'main' || !file) {
	console.error('Which benchmark? For example: npm run bench -- send')
	process.exit(1)
}
await import(file.href)

// The database client loses its place when a connection dies inside a transaction: the statements that are still to come
// run, one by one and committed, on the next connection, and its own rollback writes to a socket that is gone, which ends the
// process. Both are known upstream (porsager/postgres 1154, 1208, 1215) and not released yet; until they are, we mend our
// copy. `src/lib/server/db.test.ts` proves that it holds. To be removed with the first release that passes that test.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = '3.4.9'
const MARK = '// mended\n'

const mends = {
	'src/index.js': [
		['      , prepare = null\n\n    try {\n', '      , prepare = null\n      , lost = null\n\n    try {\n'],
		[
			'new Promise((_, reject) => connection.onclose = reject)',
			'new Promise((_, reject) => connection.onclose = e => { lost = e; reject(e) })',
		],
		[
			'      function handler(q) {\n        q.catch(',
			'      function handler(q) {\n        if (lost)\n          return q.reject(lost)\n        q.catch(',
		],
	],
	'src/connection.js': [
		[
			'  function nextWrite(fn) {\n',
			'  function nextWrite(fn) {\n    if (!socket) {\n      chunk = nextWriteTimer = null\n      return false\n    }\n',
		],
		[
			'    !hadError && (query || sent.length) && error(',
			'    chunk = nextWriteTimer = null\n    ;(query || sent.length) && error(',
		],
	],
}

/** Mends the client in this node_modules folder, once. Throws where it is not the version that the mends were made for. */
export function mendPostgres(modules) {
	const folder = join(modules, 'postgres')
	const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
	if (version !== VERSION)
		throw new Error(`scripts/mend-postgres.mjs is for postgres ${VERSION}, not ${version}: see its first lines.`)
	for (const [name, changes] of Object.entries(mends)) {
		const file = join(folder, name)
		let text = readFileSync(file, 'utf8')
		if (text.startsWith(MARK)) continue
		for (const [from, to] of changes) {
			if (text.split(from).length !== 2) throw new Error(`${file} is not as scripts/mend-postgres.mjs expects it.`)
			text = text.replace(from, () => to)
		}
		writeFileSync(file, MARK + text)
	}
}

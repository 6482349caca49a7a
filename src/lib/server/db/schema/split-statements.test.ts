import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { splitStatements } from './split-statements.ts'

test('splitStatements ignores semicolons in comments, texts, quoted names and dollar-quoted bodies', () => {
	const statements = [
		"select 'a;''b;' -- c; d\n\tas text",
		'select "x;""y" /* e; f */ from z',
		'create function f() returns int as $body$ select 1; $body$ language sql',
		'do $$ begin; end $$',
	]
	assert.deepEqual(splitStatements(`${statements.join(';\n')};\n-- the end; really\n/* ; */`), statements)
})

test('splitStatements returns nothing for a file without statements, and accepts a last statement without a semicolon', () => {
	assert.deepEqual(splitStatements(' \n-- nothing;\n'), [])
	assert.deepEqual(splitStatements('select 1;;\nselect 2'), ['select 1', 'select 2'])
})

test('every migration splits into complete statements that begin with a command', async () => {
	const folder = new URL('../../../../../db/migrations/', import.meta.url)
	for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql'))) {
		const text = await readFile(new URL(file, folder), 'utf8')
		const statements = splitStatements(text)
		// Migrations end each statement at the end of a line, and quote semicolons in dollar-quoted bodies only.
		const outside = text.replaceAll(/\$\$[\s\S]*?\$\$/g, '')
		assert.equal(statements.length, outside.match(/^(?!\s*--).*;$/gm)?.length, file)
		for (const statement of statements) {
			const bare = statement.replaceAll(/^\s*--.*$/gm, '').trim()
			assert.match(bare, /^(?:create|alter|insert|update|with|drop|delete|revoke|do|set)\b/, file)
		}
	}
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clean, plantedImports, plantedStructure } from './planted.ts'

// The rules work in a folder of the same layout, so that neither the real tree nor other tests are disturbed.
const root = fileURLToPath(new URL('..', import.meta.url))
const copied = ['package.json', 'tsconfig.json', 'tsconfig.server.json', 'tsconfig.web.json', 'oxlint.config.ts']
const made: string[] = []

function makeTree(files: { path: string; text: string }[]) {
	const tree = mkdtempSync(join(tmpdir(), 'boundaries-'))
	made.push(tree)
	for (const { path, text } of files) {
		mkdirSync(dirname(join(tree, path)), { recursive: true })
		writeFileSync(join(tree, path), text)
	}
	return tree
}

type Said = { path: string; text: string }

function lint(files: { path: string; text: string }[]): Said[] {
	const tree = makeTree(files)
	for (const path of [...copied, 'scripts/structure']) cpSync(join(root, path), join(tree, path), { recursive: true })
	symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
	const args = ['node_modules/oxlint/bin/oxlint', '-f', 'json', 'src', 'simulator']
	const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 1e8 })
	assert.ok(stdout.startsWith('{'), stdout + stderr)
	const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string; help?: string }[] }
	return diagnostics.map(({ filename, message, help = '' }) => ({ path: filename, text: `${message} ${help}` }))
}

function checkStructure(files: { path: string; text: string }[]) {
	const args = [join(root, 'scripts/check-structure.ts'), makeTree(files)]
	const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
	const said = stdout.split('\n').map((line): Said => {
		const [, path = '', text = ''] = /^([^\s:]+):\d+ {2}(.*)$/.exec(line) ?? []
		return { path, text }
	})
	return { said, status, stdout }
}

after(() => {
	for (const tree of made) rmSync(tree, { recursive: true, force: true })
})

const about = (said: Said[], path: string) => said.filter((one) => one.path === path).map((one) => one.text)

test('the linter names each planted import and says what to do instead', async (t) => {
	const said = lint([...plantedImports, ...clean])
	for (const { path, says } of plantedImports) {
		await t.test(`${path}: ${says.source}`, () => assert.match(about(said, path).join('\n'), says))
	}
	await t.test('and has nothing to say about imports that the rules allow', () => {
		const rules = /restricted|cycle|default export/
		assert.deepEqual(
			clean.flatMap(({ path }) => about(said, path).filter((text) => rules.test(text))),
			[],
		)
	})
})

test('the structure check names each planted violation and says what to do instead', async (t) => {
	const { said, status } = checkStructure([...plantedStructure, ...clean])
	assert.equal(status, 1)
	for (const { path, says } of plantedStructure) {
		await t.test(`${path}: ${says.source}`, () => assert.match(about(said, path).join('\n'), says))
	}
})

test('the structure check passes a tree that keeps the rules', () => {
	const { stdout, status } = checkStructure(clean)
	assert.equal(stdout, `OK, ${clean.length} files examined\n`)
	assert.equal(status, 0)
})

test('the structure check fails when it finds nothing to examine', () => {
	const { stdout, status } = checkStructure([{ path: 'docs/alone.md', text: 'Nothing here.\n' }])
	assert.match(stdout, /Nothing to examine/)
	assert.equal(status, 1)
})

test('the structure check fails when files grow long on the whole', () => {
	const files = Array.from({ length: 30 }, (_, index) => ({
		path: `src/lib/file-${index}.ts`,
		text: '//\n'.repeat(200),
	}))
	const { stdout, status } = checkStructure(files)
	assert.match(stdout, /Nine of ten files have under 150 lines; here it is 200/)
	assert.match(stdout, /Half of the files have under 60 lines; here it is 200/)
	assert.equal(status, 1)
})

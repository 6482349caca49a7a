import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { EXAMPLES } from '#features/developer/example-texts.ts'
import { startProduct, type Product } from './full-stack.ts'
import { openShop } from './scenes/shop.ts'

const run = promisify(execFile)

let product: Product
let folder: string
before(async () => {
	product = await startProduct()
	folder = await mkdtemp(join(tmpdir(), 'examples-'))
})
after(async () => {
	await product.close()
	await rm(folder, { recursive: true, force: true })
})

/** Program that runs the examples of each language. A machine may lack some of them. */
const PROGRAMS: Record<string, string> = { curl: 'sh', 'Node.js': process.execPath, Python: 'python3', PHP: 'php' }

test('each printed example works, and together they send one message, because they share an Idempotency-Key', async () => {
	const my = await openShop(product, { balancePaise: 1000 })
	const body = { to: '+919876599001', template: { name: 'hello', language: 'en_US' }, values: { var1: `Asha's` } }
	const url = `${product.process.url}/v1/messages`
	const ran: string[] = []
	for (const { label, textOf } of EXAMPLES) {
		const program = PROGRAMS[label] ?? label
		if (spawnSync(program, ['--version']).error || (label === 'curl' && spawnSync('curl', ['--version']).error))
			continue
		const file = join(folder, `${label}.mjs`)
		await writeFile(file, textOf({ url, body }).replace('YOUR_API_KEY', my.token))
		const { stdout } = await run(program, [file])
		assert.match(stdout, /pending/, `${label}: ${stdout}`)
		ran.push(label)
	}
	assert.ok(ran.includes('Node.js'), ran.join(', '))
	assert.deepEqual(
		(await my.entries()).map(({ total }) => total),
		[1],
	)
})

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct, type Product } from '#test/full-stack.ts'
import { createDemoData } from '../../scripts/demo/data.ts'
import { createDemoNetwork } from '../../scripts/demo/network.ts'

/** Database and folder of a stopped product with the demo data. Each test file starts with a copy. */
export interface DemoSnapshot {
	/** Name of the database. */
	database: string
	/** Path of DATA_DIR, with the network's state in `simulator`. */
	folder: string
}

const VARIABLE = 'TEST_DEMO_SNAPSHOT'

/** Creates the demo data once. Returns the variables by which test files find it. */
export async function createDemoSnapshot(): Promise<{ folder: string; env: Record<string, string> }> {
	const folder = await mkdtemp(join(tmpdir(), 'test-demo-'))
	const product = await startProduct({
		kind: 'demo',
		stateDir: join(folder, 'simulator'),
		env: { DATA_DIR: folder },
	})
	await fillWithDemoData(product)
	const database = await product.closeAndKeep()
	return { folder, env: { [VARIABLE]: JSON.stringify({ database, folder } satisfies DemoSnapshot) } }
}

/** Returns the snapshot; undefined when a test file is run by hand. */
export function readDemoSnapshot(): DemoSnapshot | undefined {
	const given = process.env[VARIABLE]
	return given ? (JSON.parse(given) as DemoSnapshot) : undefined
}

/** Creates the demo data that the product does not have yet: all of it, or only what a copy of the snapshot lacks. */
export async function fillWithDemoData(product: Product): Promise<void> {
	const { process, simulator } = product
	await createDemoData(process.context, await createDemoNetwork(simulator))
	if (readDemoSnapshot()) await redirectWebhooks(product)
}

/** Points the webhooks of a copy's accounts, which name the original product's address, at this product. */
async function redirectWebhooks({ db, process, simulator }: Product) {
	const senders = await db<
		{ wabaId: string; key: string }[]
	>`select waba_id as "wabaId", webhook_key as key from senders`
	for (const { wabaId, key } of senders) {
		await simulator.control.subscribe({ waba_id: wabaId, url: `${process.url}/api/webhooks/whatsapp/${key}` })
	}
}

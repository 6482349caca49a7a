import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readEnv } from '#app/server/env.ts'
import { startProcess } from '#app/server/process.ts'
import { runUntilSignal } from '#app/server/signals.ts'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { checkFolder } from '#features/auth/server/installation/installation.ts'
import { createLog } from '#lib/server/log.ts'
import { paymentVariables } from '#simulator/razorpay/merchant.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { createDemoData, DEMO_ADMIN, DEMO_USER } from './demo/data.ts'
import { exposureOfDemo } from './demo/exposure.ts'
import { createDemoNetwork } from './demo/network.ts'

/** `npm start`: runs database, simulated WhatsApp network, web server and worker in one process, with demo data. */
const exposure = exposureOfDemo(process.env)
if (exposure.length > 0) {
	console.error(`npm start runs a demo with public passwords on this machine, and does not start here:
${exposure.map((reason) => `  - ${reason}`).join('\n')}
For real accounts, use npm run serve. If you do want the demo, set DEMO=1.`)
	process.exit(1)
}
const dataDir = resolve(process.env.DATA_DIR ?? '.data')
mkdirSync(dataDir, { recursive: true })
const log = createLog(process.env.LOG_LEVEL || 'warn')

await runUntilSignal(log, async () => {
	// Without Razorpay's keys the simulator takes the place of Razorpay. The simulator has an address once it has started.
	const paysAtSimulator = !process.env.RAZORPAY_KEY_ID
	const env = readEnv({
		...process.env,
		...(paysAtSimulator && paymentVariables('http://127.0.0.1')),
		DATA_DIR: dataDir,
		SECRET_KEY: process.env.SECRET_KEY || storedSecretKey(),
	})
	await checkFolder(dataDir, 'demo')
	// The database starts first: it refuses a folder in use, in which two simulators would write to the same journal.
	const database = env.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log })
	const simulator = await startSimulator({ stateDir: join(dataDir, 'simulator') }).catch(async (error: unknown) => {
		await database?.stop()
		throw error
	})
	await simulator.control.setMerchant({
		name: env.ISSUER_NAME,
		webhook_url: `${env.PUBLIC_URL}/api/webhooks/razorpay`,
	})
	const providers = { GRAPH_URL: simulator.url, ...(paysAtSimulator && { RAZORPAY_URL: simulator.url }) }
	const running = await startProcess({ ...env, ...providers }, log, {
		kind: 'demo',
		phonesUrl: simulator.phonesUrl,
		hasPages: !process.argv.includes('--without-pages'),
		...(database && { startDatabase: async () => database }),
	})
	await createDemoData(running.context, await createDemoNetwork(simulator))
	console.log(`
  WhatsApp Bulk Message is ready at ${env.PUBLIC_URL}

    user    ${DEMO_USER.email}    ${DEMO_USER.password}
    admin   ${DEMO_ADMIN.email}   ${DEMO_ADMIN.password}

    phones  ${simulator.phonesUrl}

  Messages go to the built-in simulator. Data is kept in ${dataDir}. Ctrl+C stops.
`)
	return {
		async stop() {
			await running.stop()
			await simulator.close()
		},
	}
})

/** Returns the key that encrypts credentials. It is generated at the first start and stored in DATA_DIR. */
function storedSecretKey(): string {
	const file = join(dataDir, 'secret-key')
	if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
	return readFileSync(file, 'utf8').trim()
}

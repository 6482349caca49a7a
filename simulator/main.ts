import { readFileSync } from 'node:fs'
import { startSimulator } from './simulator.ts'

const { PORT = '4010', HOST = '127.0.0.1', SIMULATOR_STATE, TLS_KEY_FILE, TLS_CERT_FILE } = process.env

const simulator = await startSimulator({
	port: Number(PORT),
	host: HOST,
	...(TLS_KEY_FILE && TLS_CERT_FILE
		? { certificate: { key: readFileSync(TLS_KEY_FILE, 'utf8'), cert: readFileSync(TLS_CERT_FILE, 'utf8') } }
		: {}),
	...(SIMULATOR_STATE ? { stateDir: SIMULATOR_STATE } : {}),
})
// Fixed ids, so that a restart with the same state directory finds the account again.
const credentials = await simulator.control.createAccount({
	name: 'Demo business',
	phone: '919876500000',
	wabaId: '100000000000001',
	phoneNumberId: '100000000000002',
	appId: '100000000000003',
	appSecret: 'simulator-app-secret',
	token: 'simulator-token',
})
console.log(JSON.stringify({ url: simulator.url, ...credentials }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void simulator.close())
}

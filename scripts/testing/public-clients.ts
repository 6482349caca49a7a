import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Public clients of the Cloud API for tests of the simulator, in pinned versions. They are not dependencies of the product. */
const CLIENTS = { 'great-detail': '@great-detail/whatsapp@9.2.0', 'whatsapp-api-js': 'whatsapp-api-js@6.3.0' }
const INSTALL_TIMEOUT_MS = 120_000
const UNREACHABLE =
	/\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/

/** Installs the clients into a temporary folder and calls `run` with it. Returns null if the registry cannot be reached. */
export async function withPublicClients<T>(run: (folder: string) => Promise<T>): Promise<T | null> {
	const folder = await mkdtemp(join(tmpdir(), 'public-clients-'))
	try {
		if (!(await isInstalled(folder))) return null
		for (const [name, version] of Object.entries(CLIENTS)) {
			const packageName = version.slice(0, version.lastIndexOf('@'))
			await writeFile(join(folder, `${name}.mjs`), `export * from '${packageName}'\n`)
		}
		await writeFile(join(folder, 'whatsapp-api-js-messages.mjs'), "export * from 'whatsapp-api-js/messages'\n")
		return await run(folder)
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
}

async function isInstalled(folder: string): Promise<boolean> {
	const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0']
	const args = ['install', ...flags, '--prefix', folder, ...Object.values(CLIENTS)]
	try {
		await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
		return true
	} catch (error) {
		// A time-out also means an unreachable registry: a firewall that drops packets never answers.
		const { stderr, killed } = error as { stderr?: string; killed?: boolean }
		if (killed || UNREACHABLE.test(stderr ?? '')) return false
		throw error
	}
}

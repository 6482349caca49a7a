import {
	checkDatabase,
	checkFolder,
	claimInstallation,
	type InstallationKind,
} from '#features/auth/server/installation/installation.ts'
import { checkSecretKey } from '#features/auth/server/installation/secret-key.ts'
import { ensureFirstAdmin } from '#features/auth/server/service.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readRestoreGenerations } from '#features/delivery/server/message/restore-generations.ts'
import { PaymentCounters } from '#features/payments/server/counters.ts'
import { openProvider } from '#features/payments/server/provider/open-provider.ts'
import { createLinks } from '#features/templates/server/links.ts'
import { createCloudApi } from '#features/whatsapp/server/graph-client.ts'
import { canDecryptSenders, resumeReadableSenders } from '#features/whatsapp/server/reencrypt.ts'
import type { PageConfig } from '#lib/page-config.ts'
import { connect } from '#lib/server/db.ts'
import { createListener } from '#lib/server/db/channels/listener.ts'
import { watchDatabase } from '#lib/server/db/hosts/database-watch.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import type { Log } from '#lib/server/log.ts'
import { createMailer } from '#lib/server/mail.ts'
import { createVault } from '#lib/server/secrets.ts'
import { limitStorage } from '#lib/server/storage/account-storage.ts'
import { createFolderStorage, type Storage } from '#lib/server/storage/storage.ts'
import { composeHooks } from './compose.ts'
import type { AppContext } from './context.ts'
import type { Env } from './env.ts'
import { createHealthHttp, createHttp } from './http.ts'
import { startWorker } from './worker.ts'

export interface Process {
	context: AppContext
	/** URL of the HTTP server; a worker serves only health and metrics. */
	url: string
	/** Accepts no more work; resolves when work in flight is finished and settled. */
	stop(): Promise<void>
}

export interface ProcessOptions {
	/** Kind of installation. In a demo, messages go to the simulator, and the page has a notice. */
	kind: InstallationKind
	/** URL of the demo's phones, which show received messages. */
	phonesUrl?: string | undefined
	/** False when another server hosts the web app. */
	hasPages?: boolean
	/** Starts an embedded database in DATA_DIR when DATABASE_URL is not set. */
	startDatabase?: (options: { dataDir: string; log: Log }) => Promise<StartedDatabase>
}

interface StartedDatabase {
	url: string
	stop(): Promise<void>
}

/** Starts the web server, a worker, or both, by ROLE. */
export async function startProcess(
	env: Env,
	log: Log,
	{ kind, phonesUrl, hasPages = true, startDatabase }: ProcessOptions,
): Promise<Process> {
	const stops: (() => Promise<unknown>)[] = []
	const stop = async () => {
		for (const each of stops.splice(0).toReversed()) {
			await each().catch((error: unknown) => log.error({ error }, 'while stopping'))
		}
	}
	try {
		await checkFolder(env.DATA_DIR, kind)
		const own = env.DATABASE_URL ? null : await startDatabase?.({ dataDir: env.DATA_DIR, log })
		if (own) stops.push(() => own.stop())
		const databaseUrl = env.DATABASE_URL ?? own?.url
		if (!databaseUrl) throw new Error('DATABASE_URL is required')
		// Locks and LISTEN need a direct connection; a pooler does not keep one.
		const directUrl = env.LISTEN_URL ?? databaseUrl
		await checkDatabase(directUrl, kind)
		await migrate(directUrl, { log })
		const watch = await watchDatabase(databaseUrl, log, { maxUnreplicatedS: env.MAX_UNREPLICATED_S })
		stops.push(() => watch.stop())
		const slow = { log, afterMs: env.SLOW_STATEMENT_MS }
		// A worker has fewer connections in this pool, because sending has a pool of its own.
		const max = env.ROLE === 'worker' ? 12 : 20
		const vault = createVault(env.SECRET_KEY, env.SECRET_KEYS_OLD)
		const db = connect(databaseUrl, { max, name: env.ROLE, slow, refusal: watch.refusal, vault })
		stops.push(() => db.end())
		await claimInstallation(db, env.DATA_DIR, kind)
		await checkSecretKey(db, vault, () => canDecryptSenders(db, vault))
		await resumeReadableSenders(db, vault)
		const listener = createListener(directUrl, log)
		stops.push(() => listener.close())
		const cloudApi = createCloudApi({ url: env.GRAPH_URL, version: env.GRAPH_VERSION })
		stops.push(() => cloudApi.close())
		const storage = limitStorage(await openStorage(env, log), db, env.ACCOUNT_STORAGE_MB)
		const mailer = createMailer({ smtpUrl: env.SMTP_URL, outbox: `${env.DATA_DIR}/outbox`, from: env.MAIL_FROM })
		stops.push(async () => mailer.close())
		const [paymentProvider, paymentCounters] = [openProvider(env), new PaymentCounters()]
		if (paymentProvider) stops.push(() => paymentProvider.close())
		const restoreGenerations = await readRestoreGenerations(db)
		const links = createLinks(env, (message) => restoreGenerations.marksOf(callbackData(message)))
		const shared = { env, log, db, restoreGenerations, links, watch, listener, vault, cloudApi, storage, mailer }
		const context: AppContext = { ...shared, paymentProvider, paymentCounters, ...composeHooks(env) }
		await ensureFirstAdmin(context)
		const worker = env.ROLE === 'http' || watch.isOutdated() ? null : await startWorker({ ...context, databaseUrl })
		if (worker) {
			stops.push(() => worker.stop())
			void watch.outdated
				.then(() => worker.stop())
				.catch((error: unknown) => log.error({ error }, 'the work of this process did not end'))
		}
		const page = hasPages ? pageOf(context, { kind, phonesUrl }) : undefined
		const http = await (env.ROLE === 'worker'
			? createHealthHttp(context, worker)
			: createHttp(context, { page, worker }))
		stops.push(() => http.close())
		const url = await http.listen({ port: env.PORT, host: env.HOST })
		return { context, url, stop }
	} catch (error) {
		await stop()
		throw error
	}
}

/** Returns the settings in the web app's page. */
function pageOf(
	{ env, paymentProvider }: Pick<AppContext, 'env' | 'paymentProvider'>,
	{ kind, phonesUrl }: Pick<ProcessOptions, 'kind' | 'phonesUrl'>,
): PageConfig {
	return {
		simulator: kind === 'demo',
		phonesUrl: phonesUrl ?? null,
		landing: env.LANDING,
		supportContact: env.SUPPORT_CONTACT,
		addMoney: paymentProvider !== null,
	}
}

async function openStorage({ STORAGE_URL, DATA_DIR, S3_ENDPOINT, AWS_REGION }: Env, log: Log): Promise<Storage> {
	const url = STORAGE_URL ?? `${DATA_DIR}/files`
	if (!url.startsWith('s3://')) return createFolderStorage(url)
	// Loaded on demand: the S3 client takes some 40 MB.
	const { openS3Storage } = await import('#lib/server/storage/s3-storage.ts')
	return openS3Storage({ url, endpoint: S3_ENDPOINT, region: AWS_REGION }, log)
}

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEnv } from '#app/server/env.ts'
import { reconcileMoney } from '#app/server/housekeeping/reconciliation.ts'
import { startProcess, type Process } from '#app/server/process.ts'
import type { InstallationKind } from '#features/auth/server/installation/installation.ts'
import { getCampaign, createCampaign, type CampaignForm } from '#features/campaigns/server/service.ts'
import { insertContacts } from '#features/contacts/server/contacts/queries.ts'
import type { Component } from '#features/templates/contract.ts'
import { syncTemplates } from '#features/templates/server/sync/sync.ts'
import { saveCredentials } from '#features/whatsapp/server/credentials.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import type { JobHandler } from '#lib/server/jobs/jobs.ts'
import { createLog } from '#lib/server/log.ts'
import { paymentVariables } from '#simulator/razorpay/merchant.ts'
import { startSimulator, type Credentials, type Simulator, type StatusPlan } from '#simulator/simulator.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { account, type TestAccount } from './factories.ts'
import { runJobs } from './run-jobs.ts'
import { trustedCertificate, type TestCertificate } from './servers/certificate.ts'
import { pollInterval } from './until.ts'

/** Status plan: fast enough for a test, slow enough for statuses to follow the response to the send. */
const QUICK: Partial<StatusPlan> = { sentMs: 20, deliveredMs: 60, readMs: 120, readRate: 0.5, failRate: 0, jitter: 0.5 }

const PAYMENT_WEBHOOK_PATH = '/api/webhooks/razorpay'

/** Timeout of a campaign in milliseconds: longer than the lease of a killed worker plus UNKNOWN_AFTER. */
const CAMPAIGN_TIMEOUT_MS = 60_000

export interface Product {
	db: Db
	simulator: Simulator
	/** Variables of `process`, for starting another process on the same database. */
	env: Record<string, string>
	process: Process
	close(): Promise<void>
	/** Closes the product and keeps its database, so that it can be copied. Returns the database's name. */
	closeAndKeep(): Promise<string>
}

export interface ProductOptions {
	statuses?: Partial<StatusPlan>
	env?: Record<string, string>
	/** Name of the database to copy; an empty database by default. */
	original?: string
	/**
	 * Kind of the installation; by default 'production', so that other processes of the product may be started on its database.
	 */
	kind?: InstallationKind
	/** Folder in which the network stores its state; in memory by default. */
	stateDir?: string
	/** Lets users pay: the simulator plays Razorpay too. */
	payments?: boolean
}

/** Returns the variables of a process of the product with this database and this simulator. */
function variables(
	database: TestDatabase,
	simulator: Simulator,
	{ certFile, dataDir }: Pick<TestCertificate, 'certFile'> & { dataDir: string },
): Record<string, string> {
	return {
		NODE_EXTRA_CA_CERTS: certFile,
		NODE_ENV: 'test',
		PORT: '0',
		DATA_DIR: dataDir,
		DATABASE_URL: database.url,
		LISTEN_URL: database.directUrl,
		SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
		GRAPH_URL: simulator.url,
		LOG_LEVEL: 'silent',
	}
}

/** Starts the whole product in this process, with a new database and a network to send to, over HTTPS as Meta's. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
	const certificate = await trustedCertificate()
	const [database, simulator, dataDir] = await Promise.all([
		createTestDatabase(options.original),
		startSimulator({ certificate, statuses: { ...QUICK, ...options.statuses }, stateDir: options.stateDir }),
		mkdtemp(join(tmpdir(), 'test-product-')),
	])
	const env = {
		...variables(database, simulator, { ...certificate, dataDir }),
		...(options.payments && paymentVariables(simulator.url)),
		...options.env,
	}
	const settings = readEnv(env)
	const process = await startProcess(settings, createLog(settings.LOG_LEVEL), {
		kind: options.kind ?? 'production',
		phonesUrl: simulator.phonesUrl,
	}).catch(async (error) => {
		// Without these lines a failed start would keep the test file from ending.
		await simulator.close()
		await rm(dataDir, { recursive: true, force: true })
		await database.drop()
		throw error
	})
	settings.PUBLIC_URL = process.url
	await simulator.control.setMerchant({ webhook_url: `${process.url}${PAYMENT_WEBHOOK_PATH}` })
	const stop = async () => {
		await process.stop()
		await simulator.close()
		await rm(dataDir, { recursive: true, force: true })
	}
	return {
		db: database.sql,
		simulator,
		env,
		process,
		close: () => stop().then(database.drop),
		closeAndKeep: () => stop().then(database.keep),
	}
}

/**
 * Starts the product for a test file and closes it after the tests. `handlers` run beside it until then, for a product whose
 * ROLE runs no jobs.
 */
export async function launchProduct({
	handlers,
	...options
}: ProductOptions & { handlers?: (context: Process['context']) => JobHandler<object>[] } = {}): Promise<Product> {
	const product = await startProduct(options)
	const { context } = product.process
	const stopJobs = handlers && (await runJobs(context, handlers(context)))
	after(async () => {
		await stopJobs?.()
		await product.close()
	})
	return product
}

const BODY: Component[] = [{ type: 'BODY', text: 'Hello {{1}}, welcome!', example: { body_text: [['Asha']] } }]

interface SendingAccount {
	contacts: number
	balancePaise?: number
	perSecond?: number
	/** Components of the template. A function gets the new account. */
	components?: Component[] | ((accountId: AccountId) => Promise<Component[]>)
}

/** Creates a user with credentials, one approved template called "hello", contacts and money. */
export async function sendingAccount(
	{ process, simulator }: { process: Process; simulator: Pick<Simulator, 'control'> },
	given: SendingAccount,
): Promise<TestAccount & { credentials: Credentials; templateId: string }> {
	const { context } = process
	const made = await account(context, { balancePaise: given.balancePaise ?? given.contacts * 100 })
	const credentials = await simulator.control.createAccount()
	const { components = BODY } = given
	await simulator.control.addTemplate({
		waba_id: credentials.waba_id,
		name: 'hello',
		category: 'MARKETING',
		components: typeof components === 'function' ? await components(made.accountId) : components,
	})
	await saveCredentials(context, made.userId, credentials)
	await syncTemplates(context, made.accountId)
	await context.db`
		update senders set messages_per_second = ${given.perSecond ?? 100_000} where account_id = ${made.accountId}
	`
	await insertContacts(
		context.db,
		made.accountId,
		Array.from({ length: given.contacts }, (_, index) => ({
			firstName: `Contact ${index}`,
			lastName: null,
			number: `9155${String(made.accountId).padStart(3, '0')}${String(index).padStart(6, '0')}`,
			groupId: null,
		})),
	)
	const [template] = await context.db<{ id: string }[]>`
		select template_id as id from templates where account_id = ${made.accountId}
	`
	return { ...made, credentials, templateId: template?.id ?? '' }
}

export function campaignForm(templateId: string, given: Partial<CampaignForm> = {}): CampaignForm {
	return {
		name: `Campaign ${randomUUID().slice(0, 6)}`,
		templateId,
		variables: { var1: '{{firstName}}' },
		audienceType: 'all',
		schedule: 'now',
		timezone: INDIAN_TIME_ZONE,
		...given,
	}
}

/** Values of a campaign's form for a date so far away that only the test itself moves its messages. */
export const LATER = {
	schedule: 'later',
	scheduleDatetime: '2099-01-01T10:00:00',
	timezone: INDIAN_TIME_ZONE,
} as const

/** Creates a campaign to all contacts of the account. Returns its id. */
export function startCampaign(
	{ process }: Pick<Product, 'process'>,
	sender: Pick<TestAccount, 'accountId'> & { templateId: string },
	form: Partial<CampaignForm> = {},
): Promise<number> {
	return createCampaign(process.context, sender.accountId, campaignForm(sender.templateId, form))
}

/** Returns the campaign as soon as `isSo` holds; throws with its state when it has not changed for CAMPAIGN_TIMEOUT_MS. */
export async function campaignWhen(
	{ db }: Pick<Product, 'db'>,
	{ accountId, campaignId }: Pick<TestAccount, 'accountId'> & { campaignId: number },
	isSo: (campaign: Awaited<ReturnType<typeof getCampaign>>) => boolean,
): Promise<Awaited<ReturnType<typeof getCampaign>>> {
	let last = ''
	const start = performance.now()
	let changedAt = start
	for (;;) {
		const campaign = await getCampaign(db, accountId, String(campaignId))
		if (isSo(campaign)) return campaign
		const state = JSON.stringify(campaign)
		if (state !== last) [last, changedAt] = [state, performance.now()]
		else if (performance.now() - changedAt > CAMPAIGN_TIMEOUT_MS) throw new Error(`the campaign stays at ${state}`)
		await sleep(pollInterval(performance.now() - start))
	}
}

/** Returns the findings of the reconciliation as text; empty when everything adds up. */
export async function moneyFindings(db: Db): Promise<string[]> {
	return (await reconcileMoney(db)).map(({ rule, detail }) => `${rule}: ${detail}`)
}

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { composeHooks } from '#app/server/compose.ts'
import type { AppContext } from '#app/server/context.ts'
import { readEnv } from '#app/server/env.ts'
import { createHttp } from '#app/server/http.ts'
import { callbackData } from '#features/delivery/server/message/message-id.ts'
import { readRestoreGenerations } from '#features/delivery/server/message/restore-generations.ts'
import { PaymentCounters } from '#features/payments/server/counters.ts'
import { openProvider } from '#features/payments/server/provider/open-provider.ts'
import { createLinks } from '#features/templates/server/links.ts'
import { createCloudApi } from '#features/whatsapp/server/graph-client.ts'
import { fillPath, isFileResponse, type Endpoint, type PartIn, type ResponseOut } from '#lib/endpoint.ts'
import { createListener } from '#lib/server/db/channels/listener.ts'
import { watchDatabase } from '#lib/server/db/hosts/database-watch.ts'
import type { JobHandler } from '#lib/server/jobs/jobs.ts'
import { createLog, type Log } from '#lib/server/log.ts'
import { createMailer } from '#lib/server/mail.ts'
import { createVault } from '#lib/server/secrets.ts'
import { limitStorage } from '#lib/server/storage/account-storage.ts'
import { createFolderStorage } from '#lib/server/storage/storage.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { createTestDatabase, TEST_SECRET_KEY } from './database.ts'
import { account, type TestAccount } from './factories.ts'
import { runJobs } from './run-jobs.ts'

export interface TestAppOptions {
	/** Starts the WhatsApp network; nothing answers at GRAPH_URL without it. */
	simulator?: boolean
	/** Overrides of the default variables of tests. */
	env?: Record<string, string>
	/** Log of the app; silent by default. */
	log?: Log
}

interface CallArgs<E extends Endpoint> {
	params?: PartIn<E['params']>
	query?: PartIn<E['query']>
	body?: PartIn<E['body']>
	files?: Record<string, File>
}

/** Answer of an endpoint: `body` has the shape of the contract when `status` is 200, otherwise `{ message, … }`. */
export interface Answer<E extends Endpoint> {
	status: number
	body: ResponseOut<E> & { message?: string }
	headers: Headers
}

export interface TestApp {
	/** URL of the app, http://127.0.0.1:<port>. */
	url: string
	context: AppContext
	/** Set only with `simulator: true`. */
	simulator: Simulator
	/** Runs these jobs as a worker does, until the app is closed. */
	runJobs(handlers: JobHandler<object>[]): Promise<void>
	call<const E extends Endpoint>(endpoint: E, args?: CallArgs<E>, as?: { token: string }): Promise<Answer<E>>
	/** Creates an account of this role with an open session. */
	signIn(role: 'admin' | 'user'): Promise<TestAccount>
	close(): Promise<void>
}

/** Starts the whole HTTP side on a new database. The caller closes it. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
	const [database, dataDir, simulator] = await Promise.all([
		createTestDatabase(),
		mkdtemp(join(tmpdir(), 'test-app-')),
		options.simulator ? startSimulator() : null,
	])
	const env = readEnv({
		NODE_ENV: 'test',
		DATA_DIR: dataDir,
		SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
		// No server listens at port 9 (discard).
		GRAPH_URL: simulator?.url ?? 'http://127.0.0.1:9',
		LOG_LEVEL: 'silent',
		...options.env,
	})
	const log = options.log ?? createLog(env.LOG_LEVEL)
	const watch = await watchDatabase(database.url, log)
	const restoreGenerations = await readRestoreGenerations(database.sql)
	const context: AppContext = {
		env,
		log,
		db: database.sql,
		restoreGenerations,
		links: createLinks(env, (message) => restoreGenerations.marksOf(callbackData(message))),
		watch,
		listener: createListener(database.directUrl, log),
		vault: createVault(env.SECRET_KEY, env.SECRET_KEYS_OLD),
		cloudApi: createCloudApi({ url: env.GRAPH_URL, version: env.GRAPH_VERSION }),
		storage: limitStorage(createFolderStorage(join(dataDir, 'files')), database.sql, env.ACCOUNT_STORAGE_MB),
		mailer: createMailer({ smtpUrl: env.SMTP_URL, outbox: join(dataDir, 'outbox'), from: env.MAIL_FROM }),
		paymentProvider: openProvider(env),
		paymentCounters: new PaymentCounters(),
		...composeHooks(env),
	}
	const http = await createHttp(context)
	const url = await http.listen({ host: '127.0.0.1', port: 0 })
	env.PUBLIC_URL = url
	const stops: (() => Promise<void>)[] = []
	return {
		url,
		context,
		get simulator() {
			if (!simulator) throw new Error('start this app with { simulator: true }')
			return simulator
		},
		call: (endpoint, args, as) => call(url, endpoint, { ...args, token: as?.token }),
		signIn: (role) => account(context, { role }),
		async runJobs(handlers) {
			stops.push(await runJobs(context, handlers))
		},
		async close() {
			await http.close()
			await Promise.all(stops.map((stop) => stop()))
			await Promise.all([
				watch.stop(),
				context.listener.close(),
				context.cloudApi.close(),
				context.paymentProvider?.close(),
				simulator?.close(),
			])
			await database.drop()
			await rm(dataDir, { recursive: true, force: true })
		},
	}
}

/** Starts the app for a test file and closes it after the tests. */
export async function launchTestApp(options: TestAppOptions = {}): Promise<TestApp> {
	const app = await startTestApp(options)
	after(() => app.close())
	return app
}

/** Calls an endpoint of a running product. */
export async function call<E extends Endpoint>(
	url: string,
	endpoint: E,
	{ params, query, body, files, token }: CallArgs<E> & { token: string | undefined },
): Promise<Answer<E>> {
	const wanted = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
	const search = new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]))
	const path = fillPath(endpoint.path, params as Record<string, string> | undefined)
	const isForm = endpoint.files !== undefined
	const hasJson = !isForm && body !== undefined
	const response = await fetch(`${url}${path}?${search.toString()}`, {
		method: endpoint.method,
		headers: {
			...(token && { authorization: `Bearer ${token}` }),
			...(hasJson && { 'content-type': 'application/json' }),
		},
		...(hasJson && { body: JSON.stringify(body) }),
		...(isForm && { body: formOf(body as Record<string, unknown> | undefined, files) }),
	})
	const isFile = response.ok && isFileResponse(endpoint.response)
	const answer: unknown = await (isFile ? response.blob() : response.json())
	return { status: response.status, body: answer as Answer<E>['body'], headers: response.headers }
}

/** Announces a body of this size that is never sent, and returns the status of the answer. */
export async function statusBeforeBody(
	url: string,
	{ method = 'POST', bytes, headers }: { method?: string; bytes: number; headers: Record<string, string> },
): Promise<number | undefined> {
	const announced = request(url, { method, headers: { ...headers, 'content-length': String(bytes) } })
	announced.on('error', () => {}).flushHeaders()
	const [answer] = (await once(announced, 'response')) as [IncomingMessage]
	announced.destroy()
	return answer.statusCode
}

function formOf(fields: Record<string, unknown> = {}, files: Record<string, File> = {}): FormData {
	const form = new FormData()
	for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
	for (const [name, file] of Object.entries(files)) form.set(name, file)
	return form
}

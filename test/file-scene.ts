import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { Process } from '#app/server/process.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { headerFiles } from '#features/header-files/contract.ts'
import type { Db } from '#lib/server/db.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { sendingAccount } from './full-stack.ts'
import { call } from './http-app.ts'
import { SendDocument } from './readers/meta-bodies.ts'
import { fileOf } from './scenes/template-tests.ts'

/** A product with a simulator, whose web server may be in another process. */
interface Parts {
	process: Process
	simulator: Pick<Simulator, 'control'>
	db: Db
}

export type FileSender = Awaited<ReturnType<typeof sendingAccount>>

export const pdf = (text: string): Buffer => Buffer.from(`%PDF-1.4 ${text}`)
export const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Returns the choice of the file whose name contains a person's number. */
export const byNumber = (set: string, missing: 'leave-out' | 'campaign-file' = 'leave-out') =>
	({ set, by: 'number', missing }) as const

/** Creates an account whose template has a document in its header. */
export async function newSender(product: Parts, contacts: number): Promise<FileSender> {
	const components = [
		{ type: 'HEADER', format: 'DOCUMENT' },
		{ type: 'BODY', text: 'Hello {{1}}, your report.' },
	]
	const sender = await sendingAccount(product, { contacts, components })
	const file = `${sender.accountId}/headers/sample.pdf`
	await product.process.context.storage.put(file, pdf('sample'))
	await product.db`update templates set header_file = ${file} where account_id = ${sender.accountId}`
	return sender
}

/** Returns the numbers of the contacts of an account, in ascending order. */
export async function numbersOf({ db }: Parts, { accountId }: FileSender): Promise<string[]> {
	const rows = await db<{ number: string }[]>`
		select number from contacts where account_id = ${accountId} order by number
	`
	return rows.map(({ number }) => number)
}

/** Returns a zip of files. */
export async function zipOf(files: Iterable<[string, Buffer]>): Promise<Buffer> {
	const zip = new ZipFile()
	for (const [name, content] of files) zip.addBuffer(content, name)
	zip.end()
	return buffer(zip.outputStream)
}

/** Uploads a zip of files. Returns the id of the set. */
export async function upload(
	{ process }: Parts,
	{ token }: FileSender,
	files: Iterable<[string, Buffer]>,
): Promise<string> {
	const { url } = process
	const { body } = await call(url, headerFiles.create, { body: { kind: 'DOCUMENT' }, token })
	const id = body.set._id
	const file = fileOf(await zipOf(files), 'reports.zip', 'application/zip')
	const added = await call(url, headerFiles.addZip, { params: { id }, files: { file }, token })
	assert.equal(added.status, 200, added.body.message)
	return id
}

/** Orders a campaign; `later` gives one that opens in 2099. */
export async function order(
	product: Parts,
	sender: FileSender,
	{ choice, ...later }: { choice: object } & Record<string, unknown>,
): Promise<number> {
	const { status, body } = await call(product.process.url, campaigns.create, {
		body: {
			name: 'Reports',
			templateId: sender.templateId,
			variables: JSON.stringify({ var1: '{{firstName}}' }),
			audienceType: 'all' as const,
			headerFiles: JSON.stringify(choice),
			...later,
		},
		token: sender.token,
	})
	assert.equal(status, 200, body.message)
	return Number(body.campaign._id)
}

/** Moves the opening of a campaign. The files are uploaded ten minutes before it. */
export async function setOpening(
	{ db }: Parts,
	{ accountId, campaignId }: Pick<FileSender, 'accountId'> & { campaignId: number },
	ahead: string,
): Promise<void> {
	await db`
		update campaigns set opens_at = now() + ${ahead}::interval where account_id = ${accountId} and id = ${campaignId}
	`
}

/** Returns the hash and the name of the document in each message that a number got. */
export async function documentsOf(product: Parts, { credentials }: FileSender, number: string): Promise<string[]> {
	const { messages } = await product.simulator.control.received(number)
	return Promise.all(
		messages.map(async ({ payload }) => {
			const [{ parameters }] = SendDocument.parse(payload).template.components
			const { id, filename } = parameters[0].document
			const { body: media } = await product.process.context.cloudApi.request({
				method: 'GET',
				path: `/${id}`,
				token: credentials.access_token,
			})
			return `${(media as { sha256: string }).sha256} ${filename}`
		}),
	)
}

/** Returns the last message of a campaign whose file is uploaded. */
export async function throughOf({ db }: Parts, { accountId }: FileSender, campaignId: number): Promise<number> {
	const [row] = await db<{ through: number }[]>`
		select files_through as through from campaigns where account_id = ${accountId} and id = ${campaignId}
	`
	return row?.through ?? 0
}

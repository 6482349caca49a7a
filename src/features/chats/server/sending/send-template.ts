import { findComponent, previewComponents, slotsOf, type Variables } from '#features/campaigns/rules.ts'
import { createRenderer, getUsableTemplate, priceOf, readVariables } from '#features/campaigns/server/service.ts'
import { isUserId, lineOf } from '#features/chats/rules.ts'
import { getPrices } from '#features/pricing/server/service.ts'
import { mediaHeaderOf, uploadHeaderFile, type Template } from '#features/templates/server/service.ts'
import { getWallet } from '#features/wallet/server/service.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { announceLive } from '#lib/server/channels.ts'
import { transaction, type OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import { readKey } from '../chat-key.ts'
import { isOptedOut, type ChatMessageRow, type MessageBody } from '../queries.ts'
import { holdPrice } from '../settlement/money.ts'
import { deliver, failUnsent } from './deliver.ts'
import { findRepeated, getRepeated, getUsableSender, waitForOutcome, writeOutgoing, type SendContext } from './send.ts'

export interface TypedTemplate {
	number: string
	templateId: string
	variables: Variables
	requestId?: string | undefined
}

/**
 * Sends an approved template, also when the window is closed. It costs what a campaign's message of its category costs: held
 * here, captured when the network accepts it, and given back when it fails.
 */
export async function sendTemplate(
	context: SendContext,
	owner: OwnerId,
	typed: TypedTemplate,
): Promise<ChatMessageRow> {
	const { db } = context
	const known = await findRepeated(db, owner, typed)
	if (known) return known
	const template = await getUsableTemplate(db, owner, typed.templateId)
	const variables = readPlainVariables(template, typed.variables)
	const sender = await getUsableSender(context, owner)
	const chat = await readKey(db, owner, typed.number)
	await checkRecipient(context, owner, { chat, template })
	const pricePaise = priceOf(template, await getPrices(db, owner))
	const body = bodyOf(template, variables)
	const line = lineOf({ kind: 'template', text: body.text ?? '' })
	const row = await transaction(db, async (sql) => {
		const requestId = typed.requestId ?? null
		const written = await writeOutgoing(sql, owner, {
			chat,
			kind: 'template',
			body,
			line,
			requestId,
			pricePaise,
			isClaimed: true,
		})
		if (!written) return undefined
		if (!(await holdPrice(sql, owner, { id: written.id, pricePaise })))
			throw await tooLittle(context, owner, pricePaise)
		if (pricePaise > 0) announceLive(sql, owner, { kind: 'wallet' })
		return written
	})
	if (!row) return getRepeated(db, owner, typed)
	return waitForOutcome(context, owner, {
		row,
		sending: dispatch(context, owner, { row, sender, template, variables }),
	})
}

async function dispatch(
	context: SendContext,
	owner: OwnerId,
	{ row, sender, ...message }: { row: ChatMessageRow; sender: Sender; template: Template; variables: Variables },
): Promise<void> {
	let mediaId: string | null
	try {
		mediaId = await uploadHeader(context, sender, message.template)
	} catch (error) {
		context.log.warn({ error, owner, id: row.id }, 'the file of a template’s header could not be uploaded')
		const words = 'The template’s header file could not be uploaded to WhatsApp. Please try again.'
		return failUnsent(context, owner, { id: row.id, code: 131053, error: words })
	}
	const part = templatePart({ ...message, mediaId })
	await deliver(context, owner, { id: row.id, chat: row.chat, part, replyWamid: null, sender })
}

/** The template as a campaign of one recipient would send it. */
function templatePart(message: { template: Template; variables: Variables; mediaId: string | null }): object {
	const { template, variables, mediaId } = message
	const headerFilename = template.headerFile?.split('/').at(-1) ?? null
	const render = createRenderer({ campaignId: 0, template, variables, mergeTags: [], mediaId, headerFilename })
	const rendered = JSON.parse(render({ seq: 0, number: '', mergeValues: null })) as { type: string; template: object }
	return { type: rendered.type, template: rendered.template }
}

/** Exactly the template's variables, each with a value that Meta takes. A chat has nothing to fill merge tags with. */
function readPlainVariables(template: Template, given: Variables): Variables {
	if (template.parameterFormat !== 'POSITIONAL')
		throw new AppError(400, 'Templates with named variables cannot be sent from a chat yet')
	const tagged = slotsOf(template.components).find(({ key }) => hasBraces(given[key] ?? ''))
	if (tagged) throw new AppError(400, `The value for ${tagged.key} may hold no {{…}}`)
	return readVariables(template, given)
}

function hasBraces(value: string): boolean {
	const opened = value.indexOf('{{')
	return opened >= 0 && value.includes('}}', opened)
}

async function checkRecipient(
	{ db }: SendContext,
	owner: OwnerId,
	{ chat, template }: { chat: string; template: Template },
): Promise<void> {
	if (template.category === 'AUTHENTICATION' && isUserId(chat))
		throw new AppError(400, 'A code can only be sent to somebody who shows their number')
	if (template.category === 'MARKETING' && (await isOptedOut(db, owner, chat)))
		throw new AppError(400, 'They have opted out of marketing messages. Choose a template of another category.')
}

/** What the chat shows: the components with their variables filled in. */
function bodyOf(template: Template, variables: Variables): MessageBody {
	const components = previewComponents(template.components, variables)
	return { text: findComponent(components, 'BODY')?.text ?? '', components, category: template.category }
}

async function uploadHeader(context: SendContext, sender: Sender, template: Template): Promise<string | null> {
	if (mediaHeaderOf(template) === null || !template.headerFile) return null
	return uploadHeaderFile(context, sender, template.headerFile)
}

async function tooLittle({ db }: SendContext, owner: OwnerId, pricePaise: number): Promise<AppError> {
	const { availablePaise } = await getWallet(db, owner)
	const [price, balance] = [pricePaise, availablePaise].map((paise) => formatRupees(rupeesFromPaise(paise)))
	return new AppError(402, `This message costs ${price} and your wallet has ${balance}. Please recharge your wallet.`)
}

import type { NetworkState } from '#simulator/network-state.ts'
import type { Fault } from '#simulator/network/faults.ts'
import { directionOf } from '#simulator/network/wamid.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import { digitsOf, waIdOf } from '#simulator/state/digits.ts'
import type { Call } from '../call.ts'
import { GraphError, invalidParam, notOneOf, wrongValue } from '../errors.ts'
import { type JsonObject, objectAt, shown, stringOf, textAt, textUpTo } from '../json.ts'
import { paramsOf, unpacked } from '../params.ts'
import { withFaults } from '../with-faults.ts'
import { checkEdge, type SendEdge } from './endpoints.ts'
import type { Checked } from './message-parts.ts'
import { checkMessage } from './message-rules.ts'

/** A business-scoped user id: the address of a person who hides their number. */
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/
const BEYOND_LIMIT = 'The business has started conversations with as many people as its limit allows in 24 hours.'
const OUTSIDE_WINDOW =
	'Message failed to send because more than 24 hours have passed since the customer last replied to this number.'

interface Request {
	state: NetworkState
	edge: SendEdge
	phone: Phone
	message: JsonObject
	input: string
	to: string
	checked: Checked
	callback: string | null
}

/** Sends a message of any kind, or marks one as read. Latency delays the acceptance as well as the response. */
export function sendMessage(phone: Phone, call: Call): unknown {
	return sendLater(phone, call, 'messages')
}

/** Sends a marketing template over the marketing messages API. */
export function sendMarketingMessage(phone: Phone, call: Call): unknown {
	return sendLater(phone, call, 'marketing_messages')
}

function sendLater(phone: Phone, call: Call, edge: SendEdge): unknown {
	const { latencies, answerWheel } = call.state
	const latencyMs = latencies.drawMs(phone.id)
	if (latencyMs === 0) return takeMessage(phone, call, edge)
	return new Promise((resolve, reject) => {
		answerWheel.run(latencyMs, () => {
			try {
				resolve(takeMessage(phone, call, edge))
			} catch (error) {
				reject(error)
			}
		})
	})
}

function takeMessage(phone: Phone, call: Call, edge: SendEdge): unknown {
	const message = paramsOf(call)
	const product = message['messaging_product']
	if (product === undefined) throw invalidParam('The parameter messaging_product is required.')
	if (shown(product).toLowerCase() !== 'whatsapp') throw notOneOf('messaging_product', ['WHATSAPP'], product)
	if (message['status'] !== undefined && edge === 'messages') return takeReceipt(message, phone)
	const request = { ...check(message, phone, call), edge }
	const { faults } = call.state
	if (faults.isEmpty) return accept(request, [])
	const taken = faults.take({ name: edge, phoneNumberId: phone.id, to: request.to })
	return withFaults(call, taken, () => accept(request, taken))
}

function takeReceipt({ status, message_id }: JsonObject, phone: Phone): unknown {
	if (shown(status).toLowerCase() !== 'read') throw notOneOf('status', ['READ'], status)
	const id = textAt(message_id, 'message_id')
	const direction = directionOf(id, phone.id)
	if (direction === 'received') return { success: true }
	const message = '(#100) Invalid parameter'
	if (direction === null)
		throw new GraphError(100, { message, details: 'Please check the message ID you have provided.' })
	const details =
		`Message supplied to mark message as read API with message ID: ${id} is outgoing. ` +
		'Please use an incoming message ID.'
	throw new GraphError(100, { message, details })
}

function check(message: JsonObject, phone: Phone, call: Call): Omit<Request, 'edge'> {
	const type = message['type'] === undefined ? 'text' : textAt(message['type'], 'type').toLowerCase()
	for (const key of [type, 'context']) {
		if (typeof message[key] === 'string') message[key] = unpacked(message[key])
	}
	const recipientType = message['recipient_type'] ?? 'individual'
	if (recipientType !== 'individual') throw wrongValue('recipient_type must be individual.')
	const userId = stringOf(message['recipient'])
	const input = userId || stringOf(message['to'])
	if (!input) throw new GraphError(100, { message: 'The parameter to is required.' })
	const to = userId ? (USER_ID.test(userId) ? userId : '') : waIdOf(input, phone.country)
	if (!to) throw wrongValue(`Recipient phone number ${input} is not valid.`)
	const context = message['context']
	if (context !== undefined) textAt(objectAt(context, 'context')['message_id'], 'context.message_id')
	const data = message['biz_opaque_callback_data']
	const callback = data === undefined ? null : textUpTo(data, 'biz_opaque_callback_data', 512)
	const checked = checkMessage(type, message, { state: call.state, phone })
	return { state: call.state, phone, message, input, to, checked, callback }
}

function accept(request: Request, taken: readonly Fault[]): unknown {
	const { state, edge, phone, to, checked, callback, message } = request
	const category = checkEdge(edge, checked, { account: state.directory.accountOf(phone), message })
	checkRecipient(phone, to)
	const code = state.limits.check(phone, to)
	if (code !== null) throw new GraphError(code)
	const isConversation = state.windows.isOpen(phone.id, to)
	const { portfolio_id } = state.directory.accountOf(phone)
	if (checked.category !== 'service' && !isConversation && !state.portfolioDays.take(portfolio_id, to))
		throw new GraphError(131048, { details: BEYOND_LIMIT })
	const faults = [...taken]
	if (checked.category === 'service' && checked.type !== 'reaction' && !isConversation) {
		if (phone.window === 'webhook') faults.push({ kind: 'fail-later', code: 131047, details: OUTSIDE_WINDOW })
	}
	const { type, quickReplies } = checked
	const sent = { to, type, category, endpoint: edge, callback, quickReplies, payload: message }
	const { id, isInQualityCheck } = state.traffic.accept(phone, sent, faults)
	const status = isInQualityCheck ? 'held_for_quality_assessment' : 'accepted'
	return {
		messaging_product: 'whatsapp',
		contacts: [{ input: request.input, wa_id: to }],
		messages: [type === 'template' ? { id, message_status: status } : { id }],
	}
}

function checkRecipient(phone: Phone, to: string): void {
	if (to === phone.digits) throw new GraphError(131021)
	const allowed = phone.allowed_recipients
	if (!allowed || allowed.some((number) => digitsOf(number) === to)) return
	throw new GraphError(131030, {
		details: 'Recipient phone number not in allowed list: Add recipient phone number to recipient list and try again.',
	})
}

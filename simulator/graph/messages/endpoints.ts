import type { Account } from '#simulator/state/accounts.ts'
import type { Template } from '#simulator/state/templates.ts'
import { GraphError, invalidParam, notOneOf, wrongValue } from '../errors.ts'
import { isObject, type JsonObject, shown } from '../json.ts'
import type { Checked } from './message-parts.ts'

/** The edges of a number that send messages. */
export type SendEdge = 'messages' | 'marketing_messages'

const POLICIES = ['CLOUD_API_FALLBACK', 'STRICT']

/**
 * Validates that an edge takes a message, and returns the category of its charge: `marketing_lite` for marketing of an
 * onboarded account over `marketing_messages`. Throws the error of a switch for the template or its account.
 */
export function checkEdge(edge: SendEdge, checked: Checked, { account, message }: Place): string {
	const { template, category } = checked
	if (edge === 'messages') {
		if (template) refuseBySwitch(edge, template, account)
		if (template?.category === 'MARKETING' && account.marketing?.ordinary_off)
			throw new GraphError(131063, { details: 'Marketing messages are disabled on Cloud API for this account.' })
		return category
	}
	if (!template) throw wrongValue('Only template messages are supported by the marketing messages API.')
	checkParams(message)
	refuseBySwitch(edge, template, account)
	if (template.category !== 'MARKETING')
		throw new GraphError(134100, { details: `Template ${template.name} is not a marketing template.` })
	if (account.marketing_messages_onboarding_status === 'ONBOARDED') return 'marketing_lite'
	if (message['product_policy'] === 'STRICT')
		throw new GraphError(134102, { details: 'The account is not onboarded to the marketing messages API.' })
	return category
}

interface Place {
	account: Account
	message: JsonObject
}

function checkParams(message: JsonObject): void {
	const policy = message['product_policy']
	if (policy !== undefined && !POLICIES.includes(shown(policy))) throw notOneOf('product_policy', POLICIES, policy)
	const sharing = message['message_activity_sharing']
	if (sharing !== undefined && !['true', 'false'].includes(shown(sharing)))
		throw invalidParam('Param message_activity_sharing must be a boolean.')
	const bid = message['bid_spec']
	if (bid === undefined) return
	const multiplier = isObject(bid) ? Number(bid['per_message_bid_multiplier']) : Number.NaN
	if (!(multiplier > 0)) throw invalidParam('Param bid_spec[per_message_bid_multiplier] must be a positive number.')
	if (message['recipient'] !== undefined) throw new GraphError(131062)
}

function refuseBySwitch(edge: SendEdge, template: Template, account: Account): void {
	const refusal = account.marketing?.refusals.find(
		({ name, language, ...at }) =>
			at.endpoint === edge &&
			(name === undefined || name === template.name) &&
			(language === undefined || language === template.language),
	)
	if (refusal) throw new GraphError(refusal.code)
}

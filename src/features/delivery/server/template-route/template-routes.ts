import { isMarketing } from '#features/delivery/rules.ts'
import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import {
	afterRefusal,
	ALL_TEMPLATES,
	isInForce,
	endpointOf,
	isJustOnboarded,
	otherEndpoint,
	type AfterRefusal,
	type RouteChoice,
} from './endpoint.ts'
import { upsertChoice, type RouteFacts, type TemplateCategory, type TemplateKey } from './template-route-queries.ts'

/** Reads a template from WhatsApp again and writes it. Returns its category; null for a template that WhatsApp does not list. */
export type RereadTemplate = (
	accountId: AccountId,
	template: Omit<TemplateCategory, 'category'>,
) => Promise<string | null>

/** The route of one message. */
export interface Route {
	endpoint: SendEndpoint
	/** True for a template in the category MARKETING, whose route the report shows. */
	isMarketing: boolean
	sharesActivity: boolean
}

export interface TemplateRoutes {
	/** Takes the facts of a poll. Choices that this process has made itself are kept. */
	load(facts: RouteFacts): void
	/** Returns the route of a message. Uses the category of `template` until a poll or a second reading has given one. */
	routeOf(template: TemplateCategory, refusedBy: SendEndpoint | null): Route
	/** Returns true while neither endpoint takes the template. */
	isWaiting(template: TemplateKey): boolean
	/** Records a refusal, with the choice that it causes, and returns the result of `afterRefusal`. */
	refused(template: TemplateCategory, refused: Refusal): AfterRefusal | null
	/** Records that `endpoint` has accepted a message which the other one had refused. */
	accepted(template: TemplateCategory, endpoint: SendEndpoint): void
}

interface Refusal {
	code: number
	endpoint: SendEndpoint
	refusedBy: SendEndpoint | null
}

interface RoutesOptions {
	db: Db
	accountId: AccountId
	log: Log
	/** Returns the time of the database's clock. */
	now: () => Date
	rereadTemplate: RereadTemplate
}

const UNKNOWN_FACTS: RouteFacts = {
	setting: 'automatic',
	sharesActivity: false,
	onboarding: null,
	onboardedAtMs: null,
	choices: [],
	categories: [],
}

/**
 * Holds the choices of one sender and the facts on which they depend. A choice counts in this process from the answer that
 * caused it, so at most the messages in flight are refused. It is also written to the database, without waiting, for later runs.
 */
function createChoices({ db, accountId, log, now }: RoutesOptions) {
	let categories = new Map<string, string>()
	const choices = new Map<string, RouteChoice>()
	/** Keys of the choices that this process has made. */
	const own = new Set<string>()
	let facts = UNKNOWN_FACTS

	const categoryOf = (template: TemplateCategory) => categories.get(keyOf(template)) ?? template.category
	const countingOf = (key: string, category: string) => {
		const choice = choices.get(key)
		const current = { category, onboarding: facts.onboarding, nowMs: now().getTime() }
		return choice && isInForce(choice, current) ? choice : null
	}
	return {
		facts: () => facts,
		categoryOf,
		setCategory: (template: TemplateKey, category: string) => void categories.set(keyOf(template), category),
		choiceOf(template: TemplateCategory) {
			const category = categoryOf(template)
			return countingOf(keyOf(template), category) ?? countingOf(keyOf(ACCOUNT), category)
		},
		/** Returns the choice that makes a template wait, even if its category has changed since; null without one. */
		waitOf(template: TemplateKey) {
			const choice = choices.get(keyOf(template))
			return choice?.isWaiting ? countingOf(keyOf(template), choice.category) : null
		},
		choose(choice: RouteChoice) {
			choices.set(keyOf(choice), choice)
			own.add(keyOf(choice))
			upsertChoice(db, accountId, choice).catch((error: unknown) =>
				log.warn({ error, accountId }, 'the endpoint of a template could not be remembered'),
			)
		},
		load(read: RouteFacts) {
			facts = read
			categories = new Map(read.categories.map((template) => [keyOf(template), template.category]))
			for (const key of choices.keys()) if (!own.has(key)) choices.delete(key)
			for (const choice of read.choices) if (!own.has(keyOf(choice))) choices.set(keyOf(choice), choice)
		},
	}
}

/** Holds the routes of one sender's templates. */
export function createTemplateRoutes(options: RoutesOptions): TemplateRoutes {
	const { accountId, log, now, rereadTemplate } = options
	const { facts, categoryOf, setCategory, choiceOf, waitOf, choose, load } = createChoices(options)
	const reread = (template: TemplateKey) => {
		rereadTemplate(accountId, template)
			.then((category) => category !== null && setCategory(template, category))
			.catch((error: unknown) => log.warn({ error, accountId }, 'the category of a template could not be read again'))
	}

	return {
		load,
		routeOf(template, refusedBy) {
			const category = categoryOf(template)
			const { onboarding, setting, sharesActivity } = facts()
			const choice = choiceOf(template)?.endpoint ?? null
			const endpoint = endpointOf({ category, onboarding, setting, choice, refusedBy })
			return { endpoint, isMarketing: isMarketing(category), sharesActivity }
		},
		isWaiting: (template) => waitOf(template) !== null,
		refused(template, { code, endpoint, refusedBy }) {
			const nowMs = now().getTime()
			const { setting, onboarding } = facts()
			const known = choiceOf(template)
			const otherCode = known?.endpoint === endpoint ? known.code : null
			const isNew = isJustOnboarded(facts(), nowMs)
			const next = afterRefusal({ code, endpoint, refusedBy, setting, otherCode, isJustOnboarded: isNew })
			const wait = waitOf(template)
			// The message was in flight when the wait began.
			if (next && wait) return { kind: 'wait', forSeconds: (wait.untilMs - nowMs) / 1000 }
			if (next === null || next.kind === 'pause' || (next.kind === 'reroute' && known)) return next
			const isWaiting = next.kind === 'wait'
			const ofAccount = next.kind === 'reroute' && next.scope === 'account'
			choose({
				...keyParts(ofAccount ? ACCOUNT : template),
				endpoint: isWaiting ? 'marketing_messages' : otherEndpoint(endpoint),
				code,
				category: ofAccount ? '' : categoryOf(template),
				onboarding,
				untilMs: nowMs + next.forSeconds * 1000,
				isWaiting,
			})
			if (next.kind === 'reroute' && next.rereads) reread(keyParts(template))
			return next
		},
		accepted(template, endpoint) {
			const choice = choiceOf(template)
			if (!choice || choice.endpoint === endpoint) return
			choose({ ...choice, ...keyParts(template), category: categoryOf(template), endpoint, isWaiting: false })
		},
	}
}

const ACCOUNT: TemplateKey = { name: ALL_TEMPLATES, language: '' }

const keyOf = ({ name, language }: TemplateKey) => `${name} ${language}`
const keyParts = ({ name, language }: TemplateKey): TemplateKey => ({ name, language })

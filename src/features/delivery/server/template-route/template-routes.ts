import type { SendEndpoint } from '#features/whatsapp/server/cloud-api.ts'
import type { AccountId, Db } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import {
	afterRefusal,
	ALL_TEMPLATES,
	counts,
	endpointOf,
	isMarketing,
	otherEndpoint,
	type RouteChoice,
	type RouteRefusal,
} from './endpoint.ts'
import { upsertChoice, type RouteFacts, type TemplateCategory } from './template-route-queries.ts'

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
	/** Returns the route of a message. The category of `template` counts until a poll has read it. */
	routeOf(template: TemplateCategory, refusedBy: SendEndpoint | null): Route
	/** Notes a refusal and returns what follows, as `afterRefusal`. The first refusal of a template chooses the other endpoint. */
	refused(template: TemplateCategory, refused: Refusal): RouteRefusal | 'failed' | null
	/** Notes that `endpoint` has accepted a message which the other one had refused. */
	accepted(template: TemplateCategory, endpoint: SendEndpoint): void
}

type TemplateKey = Pick<TemplateCategory, 'name' | 'language'>

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
	choices: [],
	categories: [],
}

/**
 * Holds the routes of one sender's templates. A choice counts in this process from the answer that caused it, so at most the
 * messages in flight are refused; it is written for later runs in the background.
 */
export function createTemplateRoutes({ db, accountId, log, now, rereadTemplate }: RoutesOptions): TemplateRoutes {
	let categories = new Map<string, string>()
	const choices = new Map<string, RouteChoice>()
	/** Keys of the choices that this process has made. */
	const own = new Set<string>()
	let facts = UNKNOWN_FACTS

	const categoryOf = (template: TemplateCategory) => categories.get(keyOf(template)) ?? template.category
	const countingOf = (key: string, category: string) => {
		const choice = choices.get(key)
		const current = { category, onboarding: facts.onboarding, nowMs: now().getTime() }
		return choice && counts(choice, current) ? choice : null
	}
	const choiceOf = (template: TemplateCategory) => {
		const category = categoryOf(template)
		return countingOf(keyOf(template), category) ?? countingOf(keyOf(ACCOUNT), category)
	}
	const choose = (choice: RouteChoice) => {
		choices.set(keyOf(choice), choice)
		own.add(keyOf(choice))
		upsertChoice(db, accountId, choice).catch((error: unknown) =>
			log.warn({ error, accountId }, 'the endpoint of a template could not be remembered'),
		)
	}
	const reread = (template: TemplateKey) => {
		rereadTemplate(accountId, template)
			.then((category) => category !== null && categories.set(keyOf(template), category))
			.catch((error: unknown) => log.warn({ error, accountId }, 'the category of a template could not be read again'))
	}

	return {
		load(read) {
			facts = read
			categories = new Map(read.categories.map((template) => [keyOf(template), template.category]))
			for (const key of choices.keys()) if (!own.has(key)) choices.delete(key)
			for (const choice of read.choices) if (!own.has(keyOf(choice))) choices.set(keyOf(choice), choice)
		},
		routeOf(template, refusedBy) {
			const category = categoryOf(template)
			const { onboarding, setting, sharesActivity } = facts
			const choice = choiceOf(template)?.endpoint ?? null
			const endpoint = endpointOf({ category, onboarding, setting, choice, refusedBy })
			return { endpoint, isMarketing: isMarketing(category), sharesActivity }
		},
		refused(template, { code, endpoint, refusedBy }) {
			const next = afterRefusal({ code, endpoint, refusedBy, setting: facts.setting })
			if (next === null || next === 'failed' || choiceOf(template)) return next
			const ofAccount = next.scope === 'account'
			choose({
				...keyParts(ofAccount ? ACCOUNT : template),
				endpoint: otherEndpoint(endpoint),
				code,
				category: ofAccount ? '' : categoryOf(template),
				onboarding: facts.onboarding,
				untilMs: now().getTime() + next.forSeconds * 1000,
			})
			if (next.rereads) reread(keyParts(template))
			return next
		},
		accepted(template, endpoint) {
			const choice = choiceOf(template)
			if (!choice || choice.endpoint === endpoint) return
			choose({ ...choice, ...keyParts(template), category: categoryOf(template), endpoint })
		},
	}
}

const ACCOUNT: TemplateKey = { name: ALL_TEMPLATES, language: '' }

const keyOf = ({ name, language }: TemplateKey) => `${name} ${language}`
const keyParts = ({ name, language }: TemplateKey): TemplateKey => ({ name, language })

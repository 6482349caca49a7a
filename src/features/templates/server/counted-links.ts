import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Component } from '../contract.ts'
import { buttonsOf, exampleToken, plainTarget } from '../counted-link.ts'
import { mapParts } from '../kinds/parts.ts'
import { deleteUnusedLinks, insertLinks, listLinks } from './link-queries.ts'
import type { Links } from './links.ts'
import type { TemplateRef } from './queries.ts'

/** The address of a button as Meta gets it: the product's own with a variable, and an example for the review. */
export interface CountedButton {
	url: string
	url_example: string
}

/**
 * Stores the targets of a new template's counted links, and returns the buttons' addresses in the order of the targets. Throws for
 * a target that `plainTarget` refuses. The links lead nowhere until the template is stored.
 */
export async function createCountedLinks(
	sql: Sql,
	accountId: AccountId,
	{ links, targets, ...template }: TemplateRef & { links: Pick<Links, 'example'>; targets: readonly string[] },
): Promise<CountedButton[]> {
	if (targets.length === 0) return []
	const made = targets.map((url) => {
		const target = plainTarget(url)
		if (target === null) throw new Error('the target of a counted link is no plain https address')
		return { ...links.example(accountId), target }
	})
	await deleteUnusedLinks(sql, accountId)
	await insertLinks(sql, accountId, { ...template, links: made })
	return made.map(({ url, url_example }) => ({ url, url_example }))
}

interface WithComponents {
	components: Component[]
}

/**
 * Returns templates as Meta describes them with `counted_target` in each button whose example is a link of the account. The key is
 * null in buttons with other examples, so that nothing that was written into an example at Meta becomes a target.
 */
export async function withCountedTargets<T extends WithComponents>(
	sql: Sql,
	accountId: AccountId,
	templates: readonly T[],
): Promise<T[]> {
	const tokens = templates.flatMap(({ components }) =>
		buttonsOf(components).flatMap(({ button }) => exampleToken(button) ?? []),
	)
	const rows = tokens.length > 0 ? await listLinks(sql, accountId, tokens) : []
	const targets = new Map(rows.map(({ token, target }) => [token, target]))
	return templates.map((template) => ({
		...template,
		components: mapParts(template.components, (component) => withTargets(component, targets)),
	}))
}

function withTargets(component: Component, targets: ReadonlyMap<string, string>): Component {
	if (!component.buttons) return component
	const buttons = component.buttons.map((button) => {
		const token = exampleToken(button)
		if (token !== null) return { ...button, counted_target: targets.get(token) ?? null }
		const { counted_target, ...described } = button
		return counted_target === undefined ? button : described
	})
	return { ...component, buttons }
}

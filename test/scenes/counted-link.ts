import type { AppContext } from '#app/server/context.ts'
import type { Component } from '#features/templates/contract.ts'
import { createCountedLinks } from '#features/templates/server/counted-links.ts'
import type { TemplateRef } from '#features/templates/server/queries.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { Product } from '../full-stack.ts'

/** Stores a counted link of a template to the target. Returns the template's components as Meta describes them. */
export async function linkedComponents(
	{ db, links }: Pick<AppContext, 'db' | 'links'>,
	accountId: AccountId,
	{ target, ...template }: TemplateRef & { target: string },
): Promise<Component[]> {
	const [link] = await createCountedLinks(db, accountId, { ...template, links, targets: [target] })
	return [
		{ type: 'BODY', text: 'Hello {{1}}, our sale is on!', example: { body_text: [['Asha']] } },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Shop now', url: link?.url, example: [link?.url_example] }] },
	]
}

/** Returns the components of `sendingAccount`'s template with a counted link to the target. */
export const withCountedLink =
	({ process }: Pick<Product, 'process'>, target = 'https://shop.example/sale') =>
	(accountId: AccountId): Promise<Component[]> =>
		linkedComponents(process.context, accountId, { name: 'hello', language: 'en_US', target })

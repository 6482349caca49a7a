import type { Component } from '#simulator/state/templates.ts'
import { GraphError, missingParam } from '../errors.ts'
import { objectAt, onlyKeys, shown, stringOf } from '../json.ts'
import { variablesIn } from '../placeholders.ts'
import { countCharacters } from '../text.ts'
import type { Part } from './template-part.ts'
import { mismatch, textParameter } from './template-text.ts'

const SUB_TYPES: Record<string, string> = {
	URL: 'url',
	QUICK_REPLY: 'quick_reply',
	COPY_CODE: 'copy_code',
	FLOW: 'flow',
	CATALOG: 'catalog',
}
const NAMES: Record<string, string> = { URL: 'Url', COPY_CODE: 'CopyCode', FLOW: 'Flow', CATALOG: 'Catalog' }
const PARAMETER_TYPES: Record<string, string> = {
	url: 'text',
	copy_code: 'coupon_code',
	quick_reply: 'payload',
	flow: 'action',
	catalog: 'action',
}

/** Validates button parts by index, and requires one for every button with a variable. */
export function checkButtonParts(parts: readonly Part[], buttons: readonly Component[]): void {
	const given = new Set<number>()
	for (const part of parts) {
		const index = Number(stringOf(part.whole['index']) ?? NaN)
		const button = buttons[index]
		if (!button) throw mismatch(`buttons: there is no button at index ${shown(part.whole['index'])}`)
		if (given.has(index)) throw mismatch(`buttons: button at index ${index} is given more than once`)
		given.add(index)
		checkButton(part, button, index)
	}
	for (const [index, button] of buttons.entries()) {
		if (given.has(index) || !needsParameter(button)) continue
		throw missingParam(`buttons: Button at index ${index} of type ${NAMES[typeOf(button)]} requires a parameter`)
	}
}

function checkButton(part: Part, button: Component, index: number): void {
	const expected = SUB_TYPES[typeOf(button)]
	if (expected === undefined) return
	const received = shown(part.whole['sub_type']).toLowerCase()
	if (received !== expected) throw mismatch(`buttons: button at index ${index} is ${expected}, received ${received}`)
	const [parameter, ...more] = part.parameters
	const needs = needsParameter(button)
	if (more.length > 0 || (parameter && expected === 'url' && !needs)) {
		const details =
			`buttons: number of localizable_params (${part.parameters.length}) of the button at index ${index} ` +
			`does not match the expected number of params (${needs ? 1 : 0})`
		throw new GraphError(132000, { details })
	}
	if (!parameter) {
		if (needs)
			throw missingParam(`buttons: Button at index ${index} of type ${NAMES[typeOf(button)]} requires a parameter`)
		return
	}
	checkParameter(parameter, expected, `buttons: button at index ${index}`)
}

function checkParameter(parameter: Record<string, unknown>, subType: string, where: string): void {
	const type = PARAMETER_TYPES[subType] ?? 'payload'
	if (shown(parameter['type']).toLowerCase() !== type) throw mismatch(`${where} needs a parameter of type ${type}`)
	const value = parameter[type]
	if (type === 'action') {
		onlyKeys(objectAt(value, where), where, ['flow_token', 'flow_action_data', 'thumbnail_product_retailer_id'])
		return
	}
	if (type === 'payload' && typeof value !== 'string') throw mismatch(`${where} has no payload`)
	if (type === 'payload') return
	const text = textParameter(value, where)
	if (type === 'coupon_code' && countCharacters(text) > 20)
		throw new GraphError(132005, { details: `${where}: the code is too long` })
}

function needsParameter(button: Component): boolean {
	if (['COPY_CODE', 'FLOW', 'CATALOG'].includes(typeOf(button))) return true
	return typeOf(button) === 'URL' && variablesIn(shown(button['url'])).length > 0
}

function typeOf(button: Component): string {
	return shown(button['type'])
}

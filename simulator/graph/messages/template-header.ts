import type { Component, Template } from '#simulator/state/templates.ts'
import { GraphError } from '../errors.ts'
import { isObject, objectAt, onlyKeys, shown } from '../json.ts'
import type { MediaKind } from '../media/media-types.ts'
import { checkLocation, checkMediaSource, type Sender } from './message-parts.ts'
import type { Part } from './template-part.ts'
import { checkTextPart, mismatch } from './template-text.ts'

interface HeaderRule {
	header: Component | null
	format: Template['parameter_format']
	sender: Sender
}

/**
 * Validates the header part of a template message. A media header needs its file in every send; the approved sample is not
 * used.
 */
export function checkHeaderPart(part: Part | null, { header, format, sender }: HeaderRule): void {
	const kind = typeof header?.['format'] === 'string' ? header.format : 'TEXT'
	if (kind === 'TEXT') {
		const text = typeof header?.['text'] === 'string' ? header.text : ''
		return checkTextPart(part, { text, where: 'header', maxLength: 60, format })
	}
	const [parameter, ...more] = part?.parameters ?? []
	const received = shown(parameter?.['type']).toLowerCase() || 'unknown'
	if (!parameter || received !== kind.toLowerCase()) {
		throw mismatch(`header: Format mismatch, expected ${kind}, received ${received.toUpperCase()}`)
	}
	if (more.length > 0) {
		const details = `header: number of localizable_params (${more.length + 1}) does not match the expected number of params (1)`
		throw new GraphError(132000, { details })
	}
	const value = parameter[received]
	if (!isObject(value)) throw mismatch(`header: parameter of type ${received} has no ${received}`)
	if (kind === 'LOCATION') return checkLocation(value)
	onlyKeys(objectAt(value, 'header'), `header.${received}`, ['id', 'link', 'filename'])
	const path = `template.components.parameters.${received}`
	checkMediaSource(received as MediaKind, value, { ...sender, path })
}

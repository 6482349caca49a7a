import { invalidParam, missingParam, notOneOf } from '../errors.ts'
import {
	type JsonObject,
	isObject,
	listAt,
	objectAt,
	onlyKeys,
	optionalText,
	shown,
	textAt,
	textUpTo,
} from '../json.ts'
import type { MediaKind } from '../media/media-types.ts'
import { checkInteractive } from './interactive-rules.ts'
import { type Checked, type Sender, checkLocation, checkMediaSource } from './message-parts.ts'
import { checkTemplateMessage } from './template-message.ts'

const MEDIA_KEYS: Record<MediaKind, readonly string[]> = {
	image: ['id', 'link', 'caption'],
	video: ['id', 'link', 'caption'],
	document: ['id', 'link', 'caption', 'filename'],
	audio: ['id', 'link', 'voice'],
	sticker: ['id', 'link'],
}

const TYPES =
	'AUDIO CONTACTS DOCUMENT GIF IMAGE INTERACTIVE LINK_PREVIEW LOCATION PIN REACTION STICKER TEMPLATE TEXT VIDEO'.split(
		' ',
	)

/** Validates the part of a message that its type names, such as `text` or `template`. */
export function checkMessage(type: string, message: JsonObject, sender: Sender): Checked {
	if (type === 'template') return checkTemplateMessage(objectAt(message['template'], 'template'), sender)
	const check = KINDS.get(type)
	if (!check) throw notOneOf('type', TYPES, type)
	if (message[type] === undefined) throw missingParam(`Required parameter is missing: ${type}`)
	check(message[type], sender)
	return { type, category: 'service', quickReplies: [] }
}

const KINDS = new Map<string, (part: unknown, sender: Sender) => void>([
	['text', (part) => checkText(objectAt(part, 'text'))],
	['image', (part, sender) => checkMedia('image', part, sender)],
	['video', (part, sender) => checkMedia('video', part, sender)],
	['document', (part, sender) => checkMedia('document', part, sender)],
	['audio', (part, sender) => checkMedia('audio', part, sender)],
	['sticker', (part, sender) => checkMedia('sticker', part, sender)],
	['interactive', (part) => checkInteractive(objectAt(part, 'interactive'))],
	['location', (part) => checkLocation(objectAt(part, 'location'))],
	['contacts', checkContacts],
	['reaction', (part) => checkReaction(objectAt(part, 'reaction'))],
])

function checkText(text: JsonObject): void {
	onlyKeys(text, 'text', ['body', 'preview_url'])
	textUpTo(text['body'], 'text.body', 4_096)
	const preview = text['preview_url']
	if (preview !== undefined && !['true', 'false'].includes(shown(preview)))
		throw invalidParam("Param text['preview_url'] must be a boolean.")
}

function checkMedia(kind: MediaKind, value: unknown, sender: Sender): void {
	const part = objectAt(value, kind)
	onlyKeys(part, kind, MEDIA_KEYS[kind])
	checkMediaSource(kind, part, sender)
	optionalText(part['caption'], `${kind}.caption`, 1_024)
	optionalText(part['filename'], `${kind}.filename`, 240)
}

function checkReaction(reaction: JsonObject): void {
	onlyKeys(reaction, 'reaction', ['message_id', 'emoji'])
	textAt(reaction['message_id'], 'reaction.message_id')
	if (typeof reaction['emoji'] !== 'string') throw missingParam('reaction: emoji is required, empty to remove it.')
}

function checkContacts(value: unknown): void {
	const contacts = listAt(value, 'contacts')
	if (contacts.length === 0) throw missingParam('contacts must not be empty.')
	for (const contact of contacts) {
		const name = isObject(contact) ? contact['name'] : undefined
		if (!isObject(name)) throw missingParam('contacts: name is required.')
		textAt(name['formatted_name'], 'contacts.name.formatted_name')
	}
}

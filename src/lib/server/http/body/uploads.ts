import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#lib/app-error.ts'
import type { FileRule } from '#lib/endpoint.ts'
import { problem } from '#lib/problems.ts'
import { nameFromForm } from '#lib/server/files/file-name.ts'
import { makeTemporaryFolder } from '#lib/server/storage/temporary-folder.ts'
import { tooLarge } from './json-body.ts'

/** A received file, on disk until the call is answered. */
export interface UploadedFile {
	filename: string
	type: string
	path: string
	bytes: number
}

export interface ReceivedForm {
	fields: Record<string, string>
	files: Record<string, UploadedFile>
	/** Deletes the files. */
	discard(): Promise<void>
}

/** Maximum number of files that are received when the rules name fewer; the check of the rules then names the wrong one. */
const MAX_FILES = 5

/**
 * Streams a multipart form to disk. Refuses files that no rule names, of another type or too large, and forms whose texts
 * together exceed `maxTextBytes`.
 */
export async function receiveForm(
	request: FastifyRequest,
	rules: Record<string, FileRule>,
	maxTextBytes: number,
): Promise<ReceivedForm> {
	const folder = await makeTemporaryFolder()
	const form: ReceivedForm = {
		fields: {},
		files: {},
		discard: () => rm(folder, { recursive: true, force: true }),
	}
	try {
		const largest = Math.max(...Object.values(rules).map((rule) => rule.maxBytes))
		const files = Math.max(MAX_FILES, Object.keys(rules).length)
		const limits = { fileSize: largest + 1, files, fieldSize: maxTextBytes + 1, fields: 50, headerPairs: 20 }
		let textBytes = 0
		for await (const part of request.parts({ limits })) {
			if (part.type === 'field') {
				const text = String(part.value)
				textBytes += Buffer.byteLength(text)
				if (textBytes > maxTextBytes) throw tooLarge()
				form.fields[part.fieldname] = plainLines(text)
			} else {
				form.files[part.fieldname] = await storeFile(part, ruleFor(rules, part.fieldname), { folder, form })
			}
		}
		return form
	} catch (error) {
		await form.discard()
		throw isMalformed(error) ? problem('form_unreadable') : error
	}
}

/** Replaces CR LF, which browsers send for line breaks in form fields, by LF. */
function plainLines(text: string): string {
	return text.replaceAll('\r\n', '\n')
}

/**
 * Returns the rule of a field; undefined when no rule names it. Checks own properties only, because a field may be
 * called "constructor".
 */
function ruleFor(rules: Record<string, FileRule>, field: string): FileRule | undefined {
	return Object.hasOwn(rules, field) ? rules[field] : undefined
}

/**
 * Returns true for an error of a malformed form. The multipart parser throws these without a code; errors of the disk and of
 * limits have one.
 */
function isMalformed(error: unknown): boolean {
	return error instanceof Error && !(error instanceof AppError) && !('code' in error)
}

function refusedType({ refusal }: FileRule, type: string): AppError {
	return refusal === undefined
		? problem('file_type_unsupported', { type })
		: problem('file_type_refused', { reason: refusal })
}

function isAccepted({ types, endings = [] }: FileRule, file: { filename: string; type: string }): boolean {
	return !types || types.includes(file.type) || endings.some((ending) => file.filename.toLowerCase().endsWith(ending))
}

async function storeFile(
	part: MultipartFile,
	rule: FileRule | undefined,
	{ folder, form }: { folder: string; form: ReceivedForm },
): Promise<UploadedFile> {
	if (!rule) throw problem('file_unexpected', { field: part.fieldname })
	const { mimetype: type } = part
	// A file field without a chosen file has no file name.
	const filename = nameFromForm(part.filename || '')
	if (!isAccepted(rule, { filename, type })) throw refusedType(rule, type)
	const path = join(folder, randomUUID())
	await pipeline(part.file, createWriteStream(path))
	const bytes = part.file.bytesRead
	const maxBytes = rule.maxBytesOf?.(type) ?? rule.maxBytes
	if (part.file.truncated || bytes > maxBytes) {
		const reason = rule.tooLarge?.(form.fields)
		if (reason !== undefined) throw problem('file_too_large_here', { reason })
		throw problem('file_too_large', { maxMegabytes: Math.floor(maxBytes / 1024 / 1024) })
	}
	return { filename, type, path, bytes }
}

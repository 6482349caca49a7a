import { createReadStream } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
	DeleteObjectCommand,
	GetObjectCommand,
	HeadObjectCommand,
	paginateListObjectsV2,
	PutObjectCommand,
	S3Client,
	S3ServiceException,
	type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { problem } from '#lib/problems.ts'
import type { Log } from '../log.ts'
import { checkKey, isKey, type Storage } from './storage.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface S3Options {
	/** Bucket URL, such as `s3://bucket/prefix`. */
	url: string
	/** URL of an S3-compatible server such as MinIO; Amazon S3 by default. */
	endpoint?: string | undefined
	region: string
	/** By default, the AWS environment variables or the machine's role. */
	credentials?: S3ClientConfig['credentials']
}

const CONNECT_TIMEOUT_MS = 5000
/** Milliseconds without a byte in either direction before a request fails. */
const SILENCE_TIMEOUT_MS = 20_000
/** Error codes that no retry resolves. */
const LASTING_ERRORS = [
	'NoSuchBucket',
	'InvalidBucketName',
	'InvalidAccessKeyId',
	'SignatureDoesNotMatch',
	'AuthorizationHeaderMalformed',
	'PermanentRedirect',
	'CredentialsProviderError',
]

/**
 * Stores files in a bucket that all machines share. Throws when the bucket or its credentials are wrong; only logs an
 * outage.
 */
export async function openS3Storage(options: S3Options, log: Pick<Log, 'warn'>): Promise<Storage> {
	const { hostname: Bucket, pathname } = new URL(options.url)
	const prefix = pathname.replace(/^\/|\/$/g, '')
	const client = createClient(options)
	const objectOf = (key: string) => ({ Bucket, Key: [prefix, checkKey(key)].filter(Boolean).join('/') })
	const bodyOf = async (command: GetObjectCommand) => {
		const { Body } = await client.send(command)
		if (!Body) throw new Error('The storage sent no content')
		return Body
	}
	await checkAccess(bodyOf(new GetObjectCommand(objectOf('access-check'))), options.url, log)
	return {
		async put(key, content) {
			if (content instanceof Uint8Array) {
				await client.send(new PutObjectCommand({ ...objectOf(key), Body: content }))
				return
			}
			await withFileOf(content, async (path) => {
				const { size } = await stat(path)
				const Body = createReadStream(path)
				await client.send(new PutObjectCommand({ ...objectOf(key), Body, ContentLength: size }))
			})
		},
		async get(key) {
			const body = await bodyOf(new GetObjectCommand(objectOf(key))).catch(throwMissing)
			return Buffer.from(await body.transformToByteArray())
		},
		async size(key) {
			const { ContentLength = 0 } = await client.send(new HeadObjectCommand(objectOf(key))).catch(throwMissing)
			return ContentLength
		},
		read(key, { start, end }) {
			const command = new GetObjectCommand({ ...objectOf(key), Range: `bytes=${start}-${end}` })
			return Readable.from(chunksOf(bodyOf(command)))
		},
		async delete(key) {
			await client.send(new DeleteObjectCommand(objectOf(key)))
		},
		async *list(folder) {
			const { Key } = objectOf(folder)
			for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${Key}/` })) {
				for (const { Key: found = '', Size: bytes = 0, LastModified: changedAt = new Date() } of Contents) {
					const key = found.slice(Key.length - folder.length)
					if (isKey(key)) yield { key, bytes, changedAt }
				}
			}
		},
	}
}

function createClient({ endpoint, region, credentials }: S3Options): S3Client {
	return new S3Client({
		region,
		...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
		...(credentials && { credentials }),
		followRegionRedirects: true,
		requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
		// Disables the client's checksums, which some S3-compatible servers do not support.
		requestChecksumCalculation: 'WHEN_REQUIRED',
		responseChecksumValidation: 'WHEN_REQUIRED',
	})
}

/**
 * Throws `file_not_found` for the error of a missing file, and any other error unchanged. A HEAD answer has no body and
 * so no error code, and its error is called NotFound.
 */
function throwMissing(error: Error): never {
	throw error.name === 'NoSuchKey' || error.name === 'NotFound' ? problem('file_not_found') : error
}

/**
 * Awaits `probe`, the request of a missing file. Throws when its error shows that bucket or credentials are wrong; logs
 * any other error than the missing file.
 */
async function checkAccess(probe: Promise<unknown>, url: string, log: Pick<Log, 'warn'>): Promise<void> {
	try {
		await probe
	} catch (error) {
		const { name, message } = error as Error
		if (name === 'NoSuchKey') return
		if (LASTING_ERRORS.includes(name))
			throw new Error(`STORAGE_URL ${url} cannot be used: ${message}`, { cause: error })
		const reason = error instanceof S3ServiceException ? name : message
		log.warn({ error: reason, storage: url }, 'the storage of files could not be checked')
	}
}

/** Writes a stream to a local file first, since a bucket needs the length in advance. */
async function withFileOf(content: AsyncIterable<Uint8Array>, work: (path: string) => Promise<void>): Promise<void> {
	const folder = await makeTemporaryFolder()
	try {
		const path = join(folder, 'content')
		await writeFile(path, content)
		await work(path)
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
}

async function* chunksOf(body: Promise<unknown>): AsyncGenerator<Uint8Array> {
	yield* (await body) as AsyncIterable<Uint8Array>
}

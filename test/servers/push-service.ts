import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { trustedCertificate } from './certificate.ts'

/** A browser with a subscription at a push service. */
export interface TestDevice {
	/** Subscription in the format of a browser's push manager. */
	subscription: { endpoint: string; p256dh: string; auth: string }
	/** Notifications shown so far. */
	shown: { title: string; body: string; link: string; tag: string }[]
}

export interface PushService {
	/** Statuses of the next answers; 201 when the list is empty. */
	answers: number[]
	asked: { path: string; headers: IncomingHttpHeaders }[]
	subscribe(): TestDevice
	close(): void
}

/** Starts a push service with browsers that decrypt their messages (RFC 8188, RFC 8291). */
export async function startPushService(): Promise<PushService> {
	const { key, cert } = await trustedCertificate()
	const answers: number[] = []
	const asked: PushService['asked'] = []
	const devices: ((body: Buffer) => void)[] = []
	const server = createServer({ key, cert }, (request, response) => {
		const receive = (body: Buffer) => {
			asked.push({ path: request.url ?? '', headers: request.headers })
			const status = answers.shift() ?? 201
			if (status === 201) devices[Number(request.url?.slice(1))]?.(body)
			response.writeHead(status).end()
		}
		// A product that is killed breaks its message off.
		void buffer(request).then(receive, () => {})
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const { port } = server.address() as AddressInfo
	return {
		answers,
		asked,
		subscribe() {
			const ecdh = createECDH('prime256v1')
			const p256dh = ecdh.generateKeys('base64url')
			const secret = randomBytes(16)
			const endpoint = `https://127.0.0.1:${port}/${devices.length}`
			const shown: TestDevice['shown'] = []
			devices.push((body) => shown.push(JSON.parse(decrypt(body, ecdh, secret)) as TestDevice['shown'][number]))
			return { subscription: { endpoint, p256dh, auth: secret.toString('base64url') }, shown }
		},
		close: () => server.close(),
	}
}

/** Decrypts one record: salt (16 bytes), record size (4), length of the key (1), the sender's key, then text, 02 and tag. */
function decrypt(body: Buffer, own: ReturnType<typeof createECDH>, secret: Buffer): string {
	const salt = body.subarray(0, 16)
	const keyEnd = 21 + body.readUInt8(20)
	const sender = body.subarray(21, keyEnd)
	const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
	const shared = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), secret, info, 32))
	const derive = (label: string, bytes: number) => Buffer.from(hkdfSync('sha256', shared, salt, label, bytes))
	const key = derive('Content-Encoding: aes128gcm\0', 16)
	const decipher = createDecipheriv('aes-128-gcm', key, derive('Content-Encoding: nonce\0', 12))
	decipher.setAuthTag(body.subarray(-16))
	const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()])
	return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Returns true if the header "vapid t=…, k=…" is signed with this public key (base64url) for this audience. */
export function isSignedFor(authorization: string | undefined, publicKey: string, audience: string): boolean {
	const [, head = '', claims = '', signature = '', key] =
		/^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? []
	const point = Buffer.from(publicKey, 'base64url')
	const jwk = {
		kty: 'EC',
		crv: 'P-256',
		x: point.subarray(1, 33).toString('base64url'),
		y: point.subarray(33).toString('base64url'),
	}
	const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as { aud?: string }
	const signed = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
	const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))
	return isSigned && key === publicKey && aud === audience
}

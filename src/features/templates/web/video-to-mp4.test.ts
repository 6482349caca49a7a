import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { headerFileProblem } from '#features/templates/rules.ts'
import { videoToMp4 } from './video-to-mp4.ts'

const bytesOf = (name: string) => readFile(new URL(`../../../../test/files/videos/${name}`, import.meta.url))
const fileOf = (bytes: Uint8Array<ArrayBuffer>, name: string, type = '') => new File([bytes], name, { type })

const brandOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1', 8, 12)

/** Returns the codec of each track, and its packets with their times. */
async function contentOf(bytes: Uint8Array) {
	using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
	return await Promise.all(
		(await input.getTracks()).map(async (track) => {
			const packets = []
			for await (const { data, timestamp, type } of new EncodedPacketSink(track).packets())
				packets.push([Buffer.from(data).toString('hex'), timestamp.toFixed(3), type])
			return { codec: await track.getCodec(), packets }
		}),
	)
}

suite('videoToMp4', () => {
	test('videoToMp4 moves the H.264 and AAC of a 3GP video unchanged into an MP4 file', async () => {
		const bytes = await bytesOf('h264-aac.3gp')
		const file = await videoToMp4(fileOf(bytes, 'Diwali offer.3GP'))
		assert.deepEqual([file.name, file.type], ['Diwali offer.mp4', 'video/mp4'])
		const made = new Uint8Array(await file.arrayBuffer())
		assert.deepEqual([bytes, made].map(brandOf), ['3gp6', 'isom'])
		const content = await contentOf(made)
		assert.deepEqual(
			content.map(({ codec, packets }) => [codec, packets.length]),
			[
				['avc', 8],
				['aac', 17],
			],
		)
		assert.deepEqual(content, await contentOf(bytes))
		assert.equal(headerFileProblem('VIDEO', file), false)
	})

	test('videoToMp4 leaves a 3GP video with other codecs, or an unreadable one, for the rules to refuse', async () => {
		const good = await bytesOf('h264-aac.3gp')
		// The sound format of older phones.
		const amr = good.toString('latin1').replace('mp4a', 'samr').replace('esds', 'damr')
		const begun = Buffer.from('\0\0\0\x18ftyp3gp5\0\0\0\0', 'latin1')
		for (const bytes of [await bytesOf('h263.3gp'), Buffer.from(amr, 'latin1'), good.subarray(0, 200), begun]) {
			const file = await videoToMp4(fileOf(new Uint8Array(bytes), 'a.3gp'))
			assert.deepEqual([file.type, file.size], ['video/3gpp', bytes.length])
			assert.match(headerFileProblem('VIDEO', file) || '', /H\.264 and AAC.*convert this 3GP video to MP4/)
		}
	})

	test('videoToMp4 returns any other file unchanged', async () => {
		for (const file of [fileOf(new Uint8Array(9), 'a.mp4', 'video/mp4'), fileOf(new Uint8Array(9), 'a.png')])
			assert.equal(await videoToMp4(file), file)
	})
})

/** Codecs that Meta accepts in a header's video. */
const CODECS: readonly (string | null)[] = ['avc', 'aac']

/**
 * Converts a 3GP file with H.264 and AAC to MP4 without re-encoding, because Meta accepts only MP4. The content of any
 * other file is returned unchanged for the rules to check.
 */
export async function videoToMp4(file: File): Promise<File> {
	if (file.type !== 'video/3gpp' && !/\.3gp$/i.test(file.name)) return file
	const content = await remuxed(file).catch(() => null)
	if (!content) return new File([file], file.name, { type: 'video/3gpp' })
	return new File([content], file.name.replace(/(\.3gp)?$/i, '.mp4'), { type: 'video/mp4' })
}

/**
 * Returns the MP4; null when the video is not H.264, a track has another codec than H.264 or AAC, or a track would be
 * lost. Throws when the file cannot be read.
 */
async function remuxed(file: File): Promise<ArrayBuffer | null> {
	// Imported on use, because the library is large and rarely needed.
	const { BlobSource, BufferTarget, Conversion, Input, Logging, LogLevel, MP4, Mp4OutputFormat, Output } =
		await import('mediabunny')
	Logging.level = LogLevel.Silent
	using input = new Input({ formats: [MP4], source: new BlobSource(file) })
	const codecs = await Promise.all((await input.getTracks()).map((track) => track.getCodec()))
	if (!codecs.includes('avc') || codecs.some((codec) => !CODECS.includes(codec))) return null
	const target = new BufferTarget()
	const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
	const conversion = await Conversion.init({ input, output })
	if (!conversion.isValid || conversion.discardedTracks.length > 0) return null
	await conversion.execute()
	return target.buffer
}

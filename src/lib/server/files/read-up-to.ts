/** Reads a body of at most `maxBytes`. Returns null for a larger one, and closes its connection. */
export async function readUpTo(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | null> {
	const pieces: Uint8Array[] = []
	let bytes = 0
	for await (const piece of body) {
		bytes += piece.length
		// Leaving the loop closes the connection.
		if (bytes > maxBytes) return null
		pieces.push(piece)
	}
	return Buffer.concat(pieces, bytes)
}

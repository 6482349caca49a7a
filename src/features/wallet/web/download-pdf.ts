import { ApiError } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { toast } from '#lib/web/toast.tsx'

interface FailureWords {
	/** For what the server refuses without a word of its own. */
	refused: string
	/** Where no whole answer came. */
	broken: string
}

/** Gives a PDF to the browser's downloads; a failure becomes a toast. */
export async function downloadPdf(fetchPdf: () => Promise<File>, words: FailureWords): Promise<void> {
	try {
		saveFile(await fetchPdf())
	} catch (error) {
		const isRefused = error instanceof ApiError && error.status > 0
		if (isRefused) toast.failure(error, words.refused)
		else toast.error(words.broken)
	}
}

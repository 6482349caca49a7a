import { useCallback } from 'react'

/** Returns a `ref` for an image or player that shows the file under an object URL, revoked with the element. */
export function useFileSource(file: Blob | null | undefined) {
	return useCallback(
		(node: HTMLImageElement | HTMLMediaElement | null) => {
			if (!node || !file) return
			const url = URL.createObjectURL(file)
			node.src = url
			return () => URL.revokeObjectURL(url)
		},
		[file],
	)
}

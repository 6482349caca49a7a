import { useState, type DragEvent } from 'react'

/** Returns props for an element that accepts one dropped file, the first of several. `onOthers` is called when there are others. */
export function useFileDrop(
	isEnabled: boolean,
	{ onFile, onOthers }: { onFile: (file: File) => void; onOthers: () => void },
) {
	const [isOver, setIsOver] = useState(false)
	return {
		isOver: isOver && isEnabled,
		handlers: {
			onDragOver(event: DragEvent) {
				if (!hasFiles(event)) return
				// Prevents the browser from navigating to the file.
				event.preventDefault()
				setIsOver(true)
			},
			onDragLeave(event: DragEvent) {
				const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
				if (!isInside) setIsOver(false)
			},
			onDrop(event: DragEvent) {
				if (!hasFiles(event)) return
				event.preventDefault()
				setIsOver(false)
				const [file, ...others] = event.dataTransfer.files
				if (!isEnabled || !file) return
				if (others.length > 0) onOthers()
				onFile(file)
			},
		},
	}
}

function hasFiles(event: DragEvent): boolean {
	return event.dataTransfer.types.includes('Files')
}

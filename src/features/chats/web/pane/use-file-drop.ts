import { useState, type DragEvent } from 'react'
import { chatToast } from '#lib/web/toast.tsx'

/** Returns props for an element that accepts one dropped file. */
export function useFileDrop(isEnabled: boolean, onFile: (file: File) => void) {
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
				if (others.length > 0) chatToast.error('You can attach one file to a message. The first one was kept')
				onFile(file)
			},
		},
	}
}

function hasFiles(event: DragEvent): boolean {
	return event.dataTransfer.types.includes('Files')
}
